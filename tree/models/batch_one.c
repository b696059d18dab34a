#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
int JOIN(bri_one_, BR_ISA)(void);
int JOIN(bri_one_, BR_ISA)(void) { return 1; }
