int bri_one_base(void);
int bri_one_base_fast(void);
#ifdef BR_HAVE_ISA_avx2
int bri_one_avx2(void);
#else
#define bri_one_avx2() 0
#endif
int bri_pick(void);
int bri_pick(void) { return bri_one_base() + bri_one_base_fast() + bri_one_avx2(); }
