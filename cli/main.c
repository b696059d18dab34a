/* SPDX-License-Identifier: Apache-2.0
 * main.c - the program: find the command, run it, see that the output got out. */
#define _DEFAULT_SOURCE /* setitimer */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "bristle/batch.h"
#include "bristle/model.h"
#include "bristle/system.h"
#include "ask.h"
#include "cli.h"
#include "text/file.h"
#include "text/fit.h"

const cli_command *cli_command_at(size_t index)
{
  static const cli_command *const FIRST[] = {&cli_models, &cli_systems, &cli_presets, &cli_analyses};
  const cli_command *const last[] = {cli_export(),    &cli_run,     &cli_new, &cli_schema,
                                     &cli_completion, &cli_explain, &cli_lab, &cli_help};
  enum { N_FIRST = sizeof FIRST / sizeof FIRST[0], N_LAST = sizeof last / sizeof last[0] };
  size_t asked = 0;
  while (ask_command(asked)) asked++;
  if (index < N_FIRST) return FIRST[index];
  index -= N_FIRST;
  if (index < asked) return ask_command(index);
  index -= asked;
  return index < N_LAST ? last[index] : NULL;
}

volatile sig_atomic_t cli_stop = 0;

int cli_stop_asked(void *unused)
{
  (void)unused;
  return cli_stop;
}

/* The command that runs, for the handler; NULL: none has begun, or it is over. */
static const cli_command *volatile running = NULL;

static void put(const char *text) { (void)!write(2, text, strlen(text)); }

/* Some piece of work did not ask for the signal in time: end without it.  Finished files stay, temporary ones
 * go, and a process started by this one dies with it.  Only what a signal handler may call. */
static void give_up(int sig)
{
  const cli_command *c = running;
  (void)sig;
  bri_temps_remove();
  put(isatty(2) ? "\r\033[Kbristle" : "bristle"); /* in place of a bar */
  if (c) put(" "), put(c->name);
  put(": "), put(cli_interrupted_text());
  put(c == &cli_run ? ", --resume goes on\n" : "\n");
  _exit(CLI_INTERRUPTED);
}

static void give_up_soon(void)
{
  const struct itimerval soon = {.it_value = {0, 400000}}; /* s, us */
  (void)setitimer(ITIMER_REAL, &soon, NULL);
}

/* The end, as the signal means it, but without temporary files. */
static void end(int sig)
{
  bri_temps_remove();
  (void)signal(sig, SIG_DFL);
  (void)raise(sig);
}

/* The first signal asks, so that work ends where it can be taken up again; the second one kills.  `timeout`
 * sends every signal twice, to the program and to its group: what comes at once is no second one. */
static void stop(int sig)
{
  static struct timespec first;
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  const double since = (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
  if (cli_stop && since > 0.2) end(sig);
  if (cli_stop) return;
  first = now;
  cli_stop = 1;
  give_up_soon();
}

static void on(int sig, void (*handler)(int))
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK; /* a fault may be that of a full stack */
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(sig, &action, NULL);
}

/* What ends a program at once: a fault (of a library, say, that does not expect to be without memory),
 * Ctrl-\, the end of the processor time.  It ends as before, without temporary files; a sanitizer's own
 * handler stays. */
static void catch_ends(void)
{
  static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGXCPU, SIGPIPE};
  static char room[1 << 16];
  const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  (void)sigaltstack(&stack, NULL);
  for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
    struct sigaction before;
    if (sigaction(SIGNALS[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) on(SIGNALS[i], end);
  }
}

/* A file over its limit is an error of the write, not the end of the program; nohup stays in force. */
static void catch_signals(void)
{
  struct sigaction before;
  sigset_t alarm_only;
  (void)sigemptyset(&alarm_only);
  (void)sigaddset(&alarm_only, SIGALRM);
  (void)sigprocmask(SIG_UNBLOCK, &alarm_only, NULL); /* a caller's mask is inherited */
  on(SIGALRM, give_up);
  on(SIGINT, stop);
  on(SIGTERM, stop);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) on(SIGHUP, stop);
  catch_ends();
#ifdef SIGXFSZ
  on(SIGXFSZ, SIG_IGN);
#endif
}

const cli_command *cli_command_find(const char *name)
{
  const cli_command *c = NULL;
  for (size_t i = 0; (c = cli_command_at(i)) != NULL && strcmp(c->name, name) != 0;) i++;
  return c;
}

static int unknown_command(const char *name)
{
  const char *names[64];
  char hint[BRI_HINT];
  size_t n = 0;
  const char *what = br_model_find(name) ? "model" : br_system_find(name) ? "system" : NULL;
  if (what) {
    cli_say("bristle: '%s' is no command but a %s: 'bristle %ss %s' shows it", name, what, what, name);
    return CLI_USAGE;
  }
  for (; n < sizeof names / sizeof names[0] && cli_command_at(n); n++) names[n] = cli_command_at(n)->name;
  cli_say("bristle: unknown %s '%s'%s", name[0] == '-' ? "option" : "command", name,
          bri_hint(name, names, n, "; 'bristle --help' lists the commands", hint));
  return CLI_USAGE;
}

/* Columns of the screen that standard output goes to, or of COLUMNS where it goes elsewhere; 0: any. */
static size_t screen(void)
{
  struct winsize size;
  const char *said = getenv("COLUMNS");
  if (isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const long n = said ? strtol(said, NULL, 10) : 0;
  return n > 0 && n < 1000 ? (size_t)n : 0;
}

/* Is what the command prints for people?  Tables and objects for programs are not touched. */
static int for_people(int argc, char **argv)
{
  for (int i = 0; i < argc; i++)
    if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "-") == 0 || strcmp(argv[i], "--man") == 0 ||
        strncmp(argv[i], "--completion", 12) == 0 || strcmp(argv[i], "completion") == 0 ||
        strcmp(argv[i], "schema") == 0 || strcmp(argv[i], "run") == 0)
      return 0;
  return 1;
}

/* On a narrow screen lines are made to fit: what is printed is taken aside first. */
static int narrow(int (*work)(int argc, char **argv), int argc, char **argv)
{
  const size_t width = screen();
  FILE *aside = width && width < 80 && for_people(argc, argv) ? tmpfile() : NULL;
  const int own = aside ? dup(1) : -1;
  if (own < 0 || dup2(fileno(aside), 1) < 0) {
    if (own >= 0) (void)close(own);
    if (aside) (void)fclose(aside);
    return work(argc, argv);
  }
  int code = work(argc, argv);
  bri_buf text = {0}, fits = {0};
  char piece[4096];
  (void)fflush(stdout);
  (void)dup2(own, 1);
  (void)close(own);
  rewind(aside);
  for (size_t n; (n = fread(piece, 1, sizeof piece, aside)) > 0;) bri_buf_add(&text, piece, n);
  (void)fclose(aside);
  if (text.text) bri_fit(text.text, width, &fits);
  if (text.failed || fits.failed) {
    cli_say("bristle: out of memory");
    code = code ? code : CLI_FAILED;
  }
  if (!text.failed && !fits.failed && fits.used) (void)fwrite(fits.text, 1, fits.used, stdout);
  bri_buf_free(&text);
  bri_buf_free(&fits);
  return code;
}

static int run(const cli_command *c, int argc, char **argv)
{
  cli_call call;
  int code = CLI_OK;
  if (opt_read(c, argc, argv, &call, &code)) {
    code = claims_check(&call);
    running = c;
    if (!code) code = c->run(&call);
  }
  opt_release(&call);
  return code;
}

static int dispatch(int argc, char **argv)
{
  if (argc < 2) {
    cli_say_overview();
    return CLI_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    cli_print_usage();
    return CLI_OK;
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return cli_version(argc - 2, argv + 2);
  const cli_command *c = cli_command_find(name);
  return c ? run(c, argc - 2, argv + 2) : unknown_command(name);
}

/* A file of ours must not get the number of a closed standard output, or what is printed would go into it.
 * Opened the wrong way round, so that its use fails as before. */
static void keep_numbers(void)
{
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return;
  }
}

int main(int argc, char **argv)
{
  keep_numbers();
  catch_signals();
  if (br_isa_limit(br_isa_name()) != BR_OK) { /* the preset native, moved to an older machine */
    (void)fprintf(
        stderr,
        "bristle: made for processors with %s, which this one has not: 'make release' builds for all\n",
        br_isa_name());
    return CLI_FAILED;
  }
  int code = narrow(dispatch, argc, argv);
  /* a full disk shows up only when the buffer is written */
  errno = 0;
  if ((fflush(stdout) != 0 || ferror(stdout)) && code == CLI_OK) {
    (void)fprintf(stderr, "bristle: cannot write standard output: %s\n", strerror(errno ? errno : EIO));
    code = CLI_FAILED;
  }
  on(SIGALRM, SIG_IGN); /* done: what comes now is too late to change anything */
  return code;
}
