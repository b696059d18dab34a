int bri_alloc_kind(void);
int bri_one(void);
#ifdef BR_TESTING
#error "compiled for the tests alone"
#endif
int bri_one(void) { return bri_alloc_kind(); }
