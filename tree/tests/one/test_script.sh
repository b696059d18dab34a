[ -x "$BRISTLE" ] && [ -n "$CC" ] && "$BRISTLE" | grep -q "^cmocka 1"
