/* SPDX-License-Identifier: Apache-2.0
 * compile.c - text to tape, by recursive descent.
 *   choice  = or [ "?" choice ":" choice ]        or = and { "||" and }        and = compare { "&&" compare }
 *   compare = sum [ ("<" | "<=" | ">" | ">=") sum ]
 *   sum = term { ("+" | "-") term }    term = sign { ("*" | "/") sign }
 *   sign = ("-" | "+" | "!") sign | power
 *   power = atom [ "^" sign ]          atom = number | name | name "(" list ")" | "(" choice ")" */
#include <string.h>

#include "../text/fail.h"
#include "bristle/text.h"
#include "expr.h"

#define ROW(op, name, arity, doc) {name, arity},
const bri_expr_op bri_expr_ops[BRI_OP_COUNT] = {BRI_EXPR_OPS(ROW)};
#undef ROW

static const struct {
  const char *name;
  double value;
} CONSTANTS[] = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}};
enum { NCONSTANTS = sizeof CONSTANTS / sizeof CONSTANTS[0] };

/* What a text may call: functions, then constants. */
const br_expr_name *br_expr_names(size_t i)
{
#define ROW(op, name, arity, doc) {name, doc, arity},
  static const br_expr_name names[] = {BRI_EXPR_OPS(ROW){"pi", "3.14159...", 0}, {"e", "2.71828...", 0}};
#undef ROW
  const size_t n = sizeof names / sizeof names[0];
  for (size_t k = 0; k < n; k++)
    if (names[k].name && i-- == 0) return &names[k];
  return NULL;
}

typedef enum { WRONG, VALUE, TRUTH } sort; /* of a piece of text: an error, a number, a condition */

typedef struct {
  const char *text, *vars;
  size_t n, at;
  double *code;
  size_t max, len;
  int stack, depth; /* numbers on the stack of the tape now; nesting of the text */
  br_err *err;
  br_status status;
} reader;

static sort choice(reader *r);

#define FAIL(r, code, at, ...) ((r)->status = bri_text_fail((r)->err, code, (int)(at), __VA_ARGS__), WRONG)

static void blanks(reader *r)
{
  while (r->at < r->n && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at]) r->at++;
}

/* Is this operator next?  Then step over it. */
static int take(reader *r, const char *op)
{
  const size_t k = strlen(op);
  blanks(r);
  if (r->n - r->at < k || memcmp(r->text + r->at, op, k) != 0) return 0;
  r->at += k;
  return 1;
}

static int put(reader *r, double x)
{
  if (r->len == r->max) {
    (void)FAIL(r, BR_E_SIZE, r->at, "the formula is too long: it takes more than %zu numbers", r->max);
    return 0;
  }
  r->code[r->len++] = x;
  return 1;
}

static sort emit(reader *r, int op, sort is)
{
  r->stack += 1 - bri_expr_ops[op].arity;
  if (r->stack > BRI_EXPR_STACK)
    return FAIL(r, BR_E_SIZE, r->at, "the formula keeps more than %d numbers waiting", BRI_EXPR_STACK);
  return put(r, op) ? is : WRONG;
}

static sort emit_with(reader *r, int op, double operand)
{
  return emit(r, op, VALUE) && put(r, operand) ? VALUE : WRONG;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* ---- names ---- */

/* The k-th variable: start and *n; NULL behind the last. */
static const char *variable(const char *vars, size_t k, size_t *n)
{
  for (; k > 0; k--) {
    vars += strcspn(vars, ",");
    if (!*vars) return NULL;
    vars++;
  }
  *n = strcspn(vars, ",");
  return *n ? vars : NULL;
}

static int same(const char *name, size_t k, const char *s, size_t n)
{
  return k == n && memcmp(name, s, n) == 0;
}

static sort unknown(reader *r, size_t at, size_t n)
{
  char word[48] = "", own[BRI_EXPR_VARS][24];
  const char *names[BRI_EXPR_VARS + 64], *v = NULL;
  size_t count = 0, k = 0;
  const br_expr_name *row = NULL;
  memcpy(word, r->text + at, n < sizeof word ? n : sizeof word - 1);
  for (size_t i = 0; i < BRI_EXPR_VARS && (v = variable(r->vars, i, &k)) != NULL; i++) {
    memset(own[i], 0, sizeof own[i]);
    memcpy(own[i], v, k < sizeof own[i] ? k : sizeof own[i] - 1);
    names[count++] = own[i];
  }
  for (size_t i = 0; (row = br_expr_names(i)) != NULL; i++) names[count++] = row->name;
  const char *near = br_nearest_name(word, names, count);
  if (near)
    return FAIL(r, BR_E_NAME, at, "unknown name '%.*s', did you mean '%s'?", bri_text_width(n), r->text + at,
                near);
  return FAIL(r, BR_E_NAME, at, "unknown name '%.*s': the variables are %s, and there are sin, exp, abs, ...",
              bri_text_width(n < 40 ? n : 40), r->text + at, r->vars[0] ? r->vars : "none");
}

static sort call(reader *r, int op, size_t at)
{
  const bri_expr_op *f = &bri_expr_ops[op];
  int n = 0;
  if (!take(r, "(")) return FAIL(r, BR_E_PARSE, at, "%s is a function: write %s(...)", f->name, f->name);
  do {
    const size_t here = r->at;
    const sort s = choice(r);
    if (!s) return WRONG;
    if (op == BRI_OP_IF && n == 0 && s != TRUTH)
      return FAIL(r, BR_E_PARSE, here, "the condition of if must be a comparison such as %s < 1",
                  r->vars[0] ? "x" : "2");
    n++;
    if (n > f->arity) break;
  } while (take(r, ","));
  if (n == f->arity && take(r, ")")) return emit(r, op, VALUE);
  blanks(r);
  if (n != f->arity)
    return FAIL(r, BR_E_PARSE, at, "%s takes %d value%s", f->name, f->arity, f->arity > 1 ? "s" : "");
  return FAIL(r, BR_E_PARSE, r->at, "expected ',' or ')' of %s(", f->name);
}

static sort name(reader *r)
{
  const size_t at = r->at;
  const char *s = r->text + at, *v = NULL;
  size_t n = 0, k = 0;
  while (at + n < r->n && (is_letter(s[n]) || is_digit(s[n]))) n++;
  r->at += n;
  for (size_t i = 0; (v = variable(r->vars, i, &k)) != NULL; i++)
    if (same(v, k, s, n)) return emit_with(r, BRI_OP_VARIABLE, (double)i);
  for (size_t i = 0; i < NCONSTANTS; i++)
    if (same(CONSTANTS[i].name, strlen(CONSTANTS[i].name), s, n))
      return emit_with(r, BRI_OP_NUMBER, CONSTANTS[i].value);
  for (int op = 0; op < BRI_OP_COUNT; op++) {
    const char *f = bri_expr_ops[op].name;
    if (f && same(f, strlen(f), s, n)) return call(r, op, at);
  }
  return unknown(r, at, n);
}

/* ---- the grammar, from the inside out ---- */

static sort atom(reader *r)
{
  double x = 0;
  blanks(r);
  const size_t at = r->at;
  if (at == r->n) return FAIL(r, BR_E_PARSE, at, "the formula ends where a number or a name is expected");
  const char c = r->text[at];
  if (is_digit(c) || c == '.') {
    const size_t used = br_parse_double(r->text + at, r->n - at, &x);
    if (used == 0) return FAIL(r, BR_E_PARSE, at, "'%c' is not a number", c);
    if (!(x - x == 0)) return FAIL(r, BR_E_RANGE, at, "the number is too large");
    r->at += used;
    return emit_with(r, BRI_OP_NUMBER, x);
  }
  if (is_letter(c)) return name(r);
  if (take(r, "(")) {
    const sort s = choice(r);
    if (!s || take(r, ")")) return s;
    blanks(r);
    return FAIL(r, BR_E_PARSE, r->at, "expected ')' for the '(' in column %zu", at + 1);
  }
  return FAIL(r, BR_E_PARSE, at, "found '%c' where a number or a name is expected", c);
}

static sort sign(reader *r)
{
  sort s = WRONG;
  if (++r->depth > BRI_EXPR_DEPTH)
    return FAIL(r, BR_E_SIZE, r->at, "the formula is nested more than %d deep", BRI_EXPR_DEPTH);
  const size_t at = r->at;
  if (take(r, "-")) s = sign(r) ? emit(r, BRI_OP_NEG, VALUE) : WRONG;
  else if (take(r, "+")) s = sign(r) ? VALUE : WRONG;
  else if (take(r, "!")) {
    s = sign(r);
    if (s == VALUE) s = FAIL(r, BR_E_PARSE, at, "'!' stands before a comparison in parentheses");
    if (s) s = emit(r, BRI_OP_NOT, TRUTH);
  } else {
    s = atom(r);
    if (s && take(r, "^")) s = sign(r) ? emit(r, BRI_OP_POW, VALUE) : WRONG;
  }
  r->depth--;
  return s;
}

static sort term(reader *r)
{
  sort s = sign(r);
  while (s) {
    const int op = take(r, "*") ? BRI_OP_MUL : take(r, "/") ? BRI_OP_DIV : -1;
    if (op < 0) break;
    s = sign(r) ? emit(r, op, VALUE) : WRONG;
  }
  return s;
}

static sort sum(reader *r)
{
  sort s = term(r);
  while (s) {
    const int op = take(r, "+") ? BRI_OP_ADD : take(r, "-") ? BRI_OP_SUB : -1;
    if (op < 0) break;
    s = term(r) ? emit(r, op, VALUE) : WRONG;
  }
  return s;
}

/* a > b is !(a <= b): the tape has two comparisons only. */
static sort compare(reader *r)
{
  sort s = sum(r);
  if (!s) return s;
  blanks(r);
  const size_t at = r->at;
  if (take(r, "==") || take(r, "!=") || take(r, "="))
    return FAIL(r, BR_E_PARSE, at, "formulas compare with <, <=, > and >= only");
  const int le = take(r, "<="), ge = !le && take(r, ">="), lt = !le && !ge && take(r, "<");
  const int gt = !le && !ge && !lt && take(r, ">");
  if (!le && !ge && !lt && !gt) return s;
  s = sum(r) ? emit(r, le || gt ? BRI_OP_LE : BRI_OP_LT, TRUTH) : WRONG;
  if (s && (gt || ge)) s = emit(r, BRI_OP_NOT, TRUTH);
  blanks(r);
  if (s && r->at < r->n && strchr("<>", r->text[r->at]) && r->text[r->at])
    return FAIL(r, BR_E_PARSE, r->at, "two comparisons in a row: write a < b && b < c");
  return s;
}

static sort joined(reader *r, const char *sign_of, int op, sort (*part)(reader *))
{
  blanks(r);
  size_t at = r->at;
  sort s = part(r);
  while (s && take(r, sign_of)) {
    if (s != TRUTH) return FAIL(r, BR_E_PARSE, at, "%s joins comparisons, and this is a number", sign_of);
    blanks(r);
    at = r->at;
    s = part(r);
    if (s == VALUE) return FAIL(r, BR_E_PARSE, at, "%s joins comparisons, and this is a number", sign_of);
    if (s) s = emit(r, op, TRUTH);
  }
  return s;
}

static sort both(reader *r) { return joined(r, "&&", BRI_OP_AND, compare); }

static sort choice(reader *r)
{
  if (++r->depth > BRI_EXPR_DEPTH)
    return FAIL(r, BR_E_SIZE, r->at, "the formula is nested more than %d deep", BRI_EXPR_DEPTH);
  blanks(r);
  const size_t at = r->at;
  sort s = joined(r, "||", BRI_OP_OR, both);
  if (s && take(r, "?")) {
    if (s != TRUTH) return FAIL(r, BR_E_PARSE, at, "'?' needs a comparison before it");
    s = choice(r);
    if (s && !take(r, ":")) return FAIL(r, BR_E_PARSE, r->at, "expected ':' of the choice 'a ? b : c'");
    if (s) s = choice(r);
    if (s) s = emit(r, BRI_OP_IF, VALUE);
  }
  r->depth--;
  return s;
}

/* Behind a complete formula: say what does not belong there. */
static void trailing(reader *r)
{
  const char c = r->text[r->at];
  if (is_letter(c) && r->at > 0 && is_digit(r->text[r->at - 1]))
    (void)FAIL(r, BR_E_PARSE, r->at, "'%c' behind a number: formulas have no units, write SI values and *",
               c);
  else if (c == ')') (void)FAIL(r, BR_E_PARSE, r->at, "')' without a '('");
  else
    (void)FAIL(r, BR_E_PARSE, r->at, "found '%c' where an operator (+ - * / ^ < > ? ...) is expected",
               c >= ' ' && c < 127 ? c : '?');
}

br_status br_expr_compile(const char *text, size_t n, const char *vars, size_t max, double *code, size_t *len,
                          br_err *err)
{
  if (!text || !vars || !code || !len) return bri_fail(err, BR_E_ARG, "br_expr_compile: NULL argument");
  *len = 0;
  if (n > BR_EXPR_MAX_TEXT)
    return bri_text_fail(err, BR_E_SIZE, 0, "the formula has %zu characters, at most %d", n,
                         BR_EXPR_MAX_TEXT);
  reader r = {text, vars, n, 0, code, max, 0, 0, 0, err, BR_OK};
  const sort s = choice(&r);
  blanks(&r);
  if (s && r.at < n) trailing(&r);
  if (s == TRUTH && !r.status)
    (void)FAIL(&r, BR_E_PARSE, 0, "a comparison alone is no formula: write if(condition, a, b)");
  if (r.status) return r.status;
  *len = r.len;
  return BR_OK;
}

int br_expr_valid(const double *code, size_t n, size_t nvar)
{
  int stack = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(code[i] >= 0 && code[i] < BRI_OP_COUNT) || code[i] != (double)(int)code[i]) return 0;
    const int op = (int)code[i];
    if (stack < bri_expr_ops[op].arity) return 0;
    stack += 1 - bri_expr_ops[op].arity;
    if (stack > BRI_EXPR_STACK) return 0;
    if (op != BRI_OP_NUMBER && op != BRI_OP_VARIABLE) continue;
    if (++i == n) return 0;
    const double x = code[i];
    if (op == BRI_OP_NUMBER ? !(x - x == 0) : !(x >= 0 && x < (double)nvar && x == (double)(size_t)x))
      return 0;
  }
  return stack == 1;
}
