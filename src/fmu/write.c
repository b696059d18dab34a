/* SPDX-License-Identifier: Apache-2.0
 * write.c - put an FMU together and write it: description, recipe, binary, sources in one zip file. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bri_config.h"
#include "bristle/mechanism.h"
#include "fmu.h"

#if BR_WITH_ZIP
#include <zip.h>

#include "../base/alloc.h"
#include "../preset/preset.h"
#include "../text/file.h"

int br_fmu_available(void) { return 1; }

/* Model identifiers become parts of C names and of file names. */
static br_status check_name(const char *name, br_err *err)
{
  size_t n = 0;
  while (isalnum((unsigned char)name[n]) || name[n] == '_') n++;
  if (n && !name[n] && n < 60 && !isdigit((unsigned char)name[0])) return BR_OK;
  return bri_fail(err, BR_E_ARG,
                  "name '%.60s' cannot be that of an FMU: 1 to 59 letters, digits and _, no digit first",
                  name);
}

static br_status read_options(bri_fmu_job *job, br_err *err)
{
  const br_fmu_options *o = job->options;
  job->version = o->version ? o->version : 3;
  /* States that jump from site to site, a million times over a millimetre: an importer's root finding is lost
   * there. */
  const int jumps = (job->recipe->mod->flags & BR_MODEL_JUMPS) != 0;
  job->kinds = o->kinds ? o->kinds : (jumps ? 0 : BR_FMU_MODEL_EXCHANGE) | BR_FMU_CO_SIMULATION;
  if (jumps && (job->kinds & BR_FMU_MODEL_EXCHANGE))
    return bri_fail(
        err, BR_E_UNSUPPORTED,
        "states of '%s' jump, which importers cannot follow by model exchange; co-simulation is offered",
        job->recipe->mod->name);
  if (job->version != 2 && job->version != 3)
    return bri_fail(err, BR_E_ARG, "FMI version %d is unknown: 2 or 3", job->version);
  if (job->kinds & ~(BR_FMU_MODEL_EXCHANGE | BR_FMU_CO_SIMULATION))
    return bri_fail(err, BR_E_ARG, "kinds %d of FMU are unknown", job->kinds);
  if (o->name) {
    (void)snprintf(job->name, sizeof job->name, "%s", o->name);
    return check_name(o->name, err);
  }
  (void)snprintf(job->name, sizeof job->name, "%s%s%s", job->recipe->element ? "" : job->recipe->sys->name,
                 job->recipe->element ? "" : "_", job->recipe->mod->name);
  return check_name(job->name, err); /* a mechanism of text may be called anything */
}

/* The zip file, and why it failed. */
typedef struct {
  zip_t *zip;
  bri_buf
      *texts; /* what it reads until it is closed: the library does not say who frees what when it fails */
  size_t n, room;
  br_status st;
  br_err *err;
} archive;

static void no_memory(archive *a)
{
  if (!a->st) a->st = bri_fail(a->err, BR_E_NOMEM, "out of memory");
}

enum { LEVEL = 4 }; /* of compression: a quarter of the time of the highest, for 3 % more bytes */

/* One file: no time of day, so that the same request gives the same bytes. */
static void add(archive *a, const char *name, const char *bytes, size_t n)
{
  zip_source_t *from = a->st ? NULL : zip_source_buffer(a->zip, bytes, n, 0);
  const zip_int64_t at = from ? zip_file_add(a->zip, name, from, ZIP_FL_ENC_UTF_8) : -1;
  if (from && at < 0) zip_source_free(from);
  if (at < 0 ||
      zip_file_set_dostime(a->zip, (zip_uint64_t)at, 0, 0x21, 0) || /* 1980-01-01, the first there is */
      zip_set_file_compression(a->zip, (zip_uint64_t)at, ZIP_CM_DEFLATE, LEVEL))
    no_memory(a);
}

/* A text that was made for it; the archive keeps it, *text is empty again. */
static void add_text(archive *a, const char *name, bri_buf *text)
{
  if (text->failed || a->n == a->room) {
    no_memory(a);
    bri_buf_free(text);
  } else {
    a->texts[a->n++] = *text;
    add(a, name, text->text, text->used);
  }
  memset(text, 0, sizeof *text);
}

static void add_sources(archive *a)
{
  bri_buf text = {0};
  char name[512];
  for (const bri_fmu_file *f = bri_fmu_files; f->path; f++) {
    (void)snprintf(name, sizeof name, "sources/%s", f->path);
    bri_fmu_source(f, &text);
    add_text(a, name, &text);
  }
}

static void fill(archive *a, const bri_fmu_job *job)
{
  bri_buf text = {0};
  char name[160];
  bri_fmu_describe(job, &text);
  add_text(a, "modelDescription.xml", &text);
  bri_buf_printf(&text, "model %s\n", job->asked->model); /* which of its variants, the values say again */
  if (job->asked->program) bri_buf_printf(&text, "program %s\n", job->asked->program);
  else if (!job->recipe->element) bri_buf_printf(&text, "system %s\n", job->recipe->sys->name);
  if (job->asked->base) bri_buf_printf(&text, "base %s\n", job->asked->base);
  bri_buf_printf(&text, "set %s\n", job->asked->set ? job->asked->set : "");
  add_text(a, "resources/recipe.txt", &text);
  bri_fmu_document(job, &text);
  add_text(a, "documentation/index.html", &text);
  add(a, "documentation/licenses/license.txt", bri_fmu_license.text,
      (size_t)(bri_fmu_license.end - bri_fmu_license.text));
  if (job->version == 3) {
    bri_fmu_describe_build(job, &text);
    add_text(a, "sources/buildDescription.xml", &text);
  }
  (void)snprintf(name, sizeof name, "binaries/%s/%s.so",
                 job->version == 2 ? bri_fmu_platform2 : bri_fmu_platform3, job->name);
  add(a, name, bri_fmu_binary.text, (size_t)(bri_fmu_binary.end - bri_fmu_binary.text));
  add_sources(a);
}

/* The archive's bytes into the file. */
static br_status drain(zip_source_t *from, const char *path, size_t *size, br_err *err)
{
  char bytes[65536];
  bri_file *out = NULL;
  br_status st = zip_source_open(from) ? bri_fail(err, BR_E_NOMEM, "out of memory") : BR_OK;
  if (st) return st;
  st = bri_file_open(path, BRI_FILE_STREAM, &out, err);
  *size = 0;
  for (zip_int64_t n = 1; !st && n > 0;) {
    n = zip_source_read(from, bytes, sizeof bytes);
    if (n > 0) bri_file_put(out, bytes, (size_t)n), *size += (size_t)n;
    if (n < 0) st = bri_fail(err, BR_E_IO, "the zip file cannot be read back");
  }
  (void)zip_source_close(from);
  if (out && st) bri_file_abort(out);
  return st ? st : bri_file_commit(out, err);
}

static br_status write_job(const bri_fmu_job *job, const char *path, size_t *size, br_err *err)
{
  zip_error_t why;
  zip_error_init(&why);
  zip_source_t *memory = zip_source_buffer_create(NULL, 0, 0, &why);
  archive a = {.room = 8, .err = err};
  for (const bri_fmu_file *f = bri_fmu_files; f->path; f++) a.room++;
  a.texts = bri_calloc(a.room, sizeof *a.texts);
  if (memory) {
    zip_source_keep(memory); /* one for us: closing the archive gives the other back */
    a.zip = zip_open_from_source(memory, ZIP_TRUNCATE, &why);
    if (!a.zip) zip_source_free(memory);
  }
  zip_error_fini(&why);
  if (!a.texts || !a.zip) no_memory(&a);
  if (a.zip) {
    if (!a.st) fill(&a, job);
    if (a.st) zip_discard(a.zip);
    else if (zip_close(a.zip)) {
      no_memory(&a);
      zip_discard(a.zip);
    }
  }
  if (!a.st) a.st = drain(memory, path, size, err);
  if (memory) zip_source_free(memory);
  for (size_t i = 0; i < a.n; i++) bri_buf_free(&a.texts[i]);
  bri_free(a.texts);
  return a.st;
}

/* Model, mechanism and values; a preset names what is not given, and its values hold where no others are
 * given.  Those of another mechanism than the preset's do not apply. */
static br_status read_request(const br_fmu_options *o, bri_buf *base, bri_fmu_request *out, br_err *err)
{
  const br_preset *p = NULL;
  br_status st = o->preset ? bri_preset_find(o->preset, &p, err) : BR_OK;
  *out = (bri_fmu_request){o->model, o->system, NULL, o->set, NULL};
  if (st || !p) return st;
  if (o->model && strcmp(o->model, p->model) != 0)
    return bri_fail(err, BR_E_ARG, "preset %s is a set of the model %s, not of '%.60s'", p->name, p->model,
                    o->model);
  out->model = p->model;
  if (!o->system) out->system = p->system;
  bri_buf_text(base, p->model_set);
  if (p->system && strcmp(p->system, out->system) == 0 && p->system_set)
    bri_buf_printf(base, ",%s", p->system_set);
  return BR_OK;
}

/* A mechanism of text goes along as its program; what its contacts say holds for the model that they name. */
static br_status read_mechanism(bri_fmu_request *asked, br_mechanism **text, bri_buf *base, bri_buf *program,
                                br_err *err)
{
  if (!br_mechanism_named(asked->system)) return BR_OK;
  const br_status st = br_mechanism_load(asked->system, text, err);
  if (st == BR_E_IO && err)
    err->code = BR_E_ARG; /* what cannot be read is bad input; what cannot be written is not */
  if (st) return st == BR_E_IO ? BR_E_ARG : st;
  const char *own = br_mechanism_model(*text), *values = br_mechanism_set(*text);
  if (!asked->model) asked->model = own;
  if (!asked->model)
    return bri_fail(err, BR_E_ARG, "model NAME is missing: the contacts of '%.60s' name none", asked->system);
  if (*values && (!own || (asked->model && strcmp(own, asked->model) == 0)))
    bri_buf_printf(base, "%s%s", base->used ? "," : "", values);
  bri_mech_write(br_mechanism_system(*text), program);
  asked->system = NULL, asked->program = program->text;
  return BR_OK;
}

static br_status write_request(const bri_fmu_request *asked, const br_fmu_options *options, const char *path,
                               size_t *bytes, br_err *err)
{
  bri_fmu_recipe recipe;
  bri_fmu_layout layout = {0};
  br_plant *plant = NULL;
  br_status st = bri_fmu_recipe_make(asked, &recipe, err);
  if (st) return st;
  bri_fmu_job job = {.options = options, .asked = asked, .recipe = &recipe, .layout = &layout};
  st = read_options(&job, err);
  if (!st) st = br_plant_of(recipe.sys, recipe.mod, recipe.params, NULL, &plant, err);
  if (!st) st = bri_fmu_layout_make(&recipe, plant, &layout, err);
  if (!st) job.stop = bri_fmu_stop(plant);
  if (!st) st = write_job(&job, path, bytes, err);
  bri_fmu_layout_free(&layout);
  br_plant_destroy(plant);
  bri_fmu_recipe_free(&recipe);
  return st;
}

br_status br_fmu_write(const br_fmu_options *options, const char *path, size_t *size, br_err *err)
{
  bri_fmu_request asked;
  br_mechanism *text = NULL;
  bri_buf base = {0}, program = {0};
  size_t bytes = 0;
  if (!options || !path) return bri_fail(err, BR_E_ARG, "br_fmu_write: no options or path");
  if (options->set && strpbrk(options->set, "\r\n"))
    return bri_fail(err, BR_E_PARSE, "parameters of an FMU stand in one line");
  br_status st = read_request(options, &base, &asked, err);
  if (!st) st = read_mechanism(&asked, &text, &base, &program, err);
  asked.base = base.text;
  if (!st && (base.failed || program.failed)) st = bri_fail(err, BR_E_NOMEM, "out of memory");
  if (!st && base.text && strpbrk(base.text, "\r\n"))
    st = bri_fail(err, BR_E_PARSE, "values of contacts in an FMU stand in one line each");
  if (!st) st = write_request(&asked, options, path, &bytes, err);
  if (size) *size = bytes;
  bri_buf_free(&base);
  bri_buf_free(&program);
  br_mechanism_destroy(text);
  return st;
}

#else

/* Nothing to pack: the tables that br_fmu.cmake makes are empty, so that whoever links the library misses no
 * name. */
const bri_fmu_file bri_fmu_files[] = {{NULL, NULL, NULL}};
const char *const bri_fmu_units[] = {NULL};

int br_fmu_available(void) { return 0; }

br_status br_fmu_write(const br_fmu_options *options, const char *path, size_t *size, br_err *err)
{
  (void)options, (void)path;
  if (size) *size = 0;
  return bri_fail(err, BR_E_UNSUPPORTED, "this build has no libzip, so it writes no FMU");
}
#endif
