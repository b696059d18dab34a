int bri_alloc_kind(void);
int bri_alloc_kind(void)
{
#ifdef BR_TESTING
  return 7;
#else
  return 1;
#endif
}
