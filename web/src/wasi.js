// SPDX-License-Identifier: Apache-2.0
// wasi.js - the system that bristle.wasm sees: one folder of files in memory, a clock, nothing else.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, NOENT = 44, NOTDIR = 54, NOSYS = 52;
const FILE = 4, FOLDER = 3, ROOT = 3;

export class Files {
  constructor() {
    this.byName = new Map(); // name -> {data: Uint8Array, size}
  }
  write(name, bytes) {
    this.byName.set(name, { data: bytes, size: bytes.length });
  }
  read(name) {
    const f = this.byName.get(name);
    return f ? f.data.subarray(0, f.size) : null;
  }
  remove(name) {
    return this.byName.delete(name);
  }
}

function grow(f, size) {
  if (size > f.data.length) {
    const more = new Uint8Array(Math.max(size, 2 * f.data.length, 4096));
    more.set(f.data.subarray(0, f.size));
    f.data = more;
  }
  if (size > f.size) f.size = size;
}

// What wasi-libc imports; `say` receives what is written to standard error.
export function wasi(files, say = () => {}) {
  let memory = null;
  const open = new Map(); // descriptor -> {file, at, append}
  let next = 4;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, n) => new Uint8Array(memory.buffer, at, n);
  const text = (at, n) => new TextDecoder().decode(bytes(at, n));
  const name = (at, n) => text(at, n).replace(/^(\.?\/)+/, "");

  const filestat = (at, kind, size) => {
    const v = view();
    for (let i = 0; i < 64; i++) v.setUint8(at + i, 0);
    v.setUint8(at + 16, kind);
    v.setBigUint64(at + 24, 1n, true);
    v.setBigUint64(at + 32, BigInt(size), true);
    return OK;
  };
  const vectors = (at, n) => {
    const v = view(), out = [];
    for (let i = 0; i < n; i++) out.push(bytes(v.getUint32(at + 8 * i, true), v.getUint32(at + 8 * i + 4, true)));
    return out;
  };
  const read = (f, where, iovs, n, out) => {
    let at = where, total = 0;
    for (const to of vectors(iovs, n)) {
      const part = f.data.subarray(at, Math.min(f.size, at + to.length));
      to.set(part);
      at += part.length;
      total += part.length;
      if (part.length < to.length) break;
    }
    view().setUint32(out, total, true);
    return total;
  };
  const write = (f, where, iovs, n, out) => {
    let at = where, total = 0;
    for (const from of vectors(iovs, n)) {
      grow(f, at + from.length);
      f.data.set(from, at);
      at += from.length;
      total += from.length;
    }
    view().setUint32(out, total, true);
    return total;
  };

  const calls = {
    fd_prestat_get(fd, at) {
      if (fd !== ROOT) return BADF;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd, at, n) {
      if (fd !== ROOT) return BADF;
      if (n > 0) bytes(at, 1)[0] = 47;
      return OK;
    },
    fd_fdstat_get(fd, at) {
      const v = view();
      if (fd > 2 && fd !== ROOT && !open.has(fd)) return BADF;
      for (let i = 0; i < 24; i++) v.setUint8(at + i, 0);
      v.setUint8(at, fd === ROOT ? FOLDER : fd <= 2 ? 2 : FILE);
      v.setBigUint64(at + 8, ~0n & 0xffffffffffffffffn, true);
      v.setBigUint64(at + 16, ~0n & 0xffffffffffffffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_filestat_get(fd, at) {
      if (fd === ROOT) return filestat(at, FOLDER, 0);
      if (fd <= 2) return filestat(at, 2, 0);
      const o = open.get(fd);
      return o ? filestat(at, FILE, o.file.size) : BADF;
    },
    fd_filestat_set_size(fd, size) {
      const o = open.get(fd), n = Number(size);
      if (!o) return BADF;
      grow(o.file, n);
      o.file.size = n;
      return OK;
    },
    fd_filestat_set_times: () => OK,
    path_filestat_get(fd, flags, path, n, at) {
      const key = name(path, n), f = files.byName.get(key);
      if (key === "" || key === ".") return filestat(at, FOLDER, 0);
      return f ? filestat(at, FILE, f.size) : NOENT;
    },
    path_open(fd, dirflags, path, n, flags, rights, inheriting, fdflags, out) {
      const key = name(path, n);
      let f = files.byName.get(key);
      if (key === "" || key === ".") {
        view().setUint32(out, ROOT, true);
        return OK;
      }
      if (key.includes("/")) return NOENT;
      if (flags & 2) return NOTDIR;
      if (f && flags & 1 && flags & 4) return EXIST;
      if (!f && !(flags & 1)) return NOENT;
      if (!f) files.byName.set(key, (f = { data: new Uint8Array(0), size: 0 }));
      if (flags & 8) f.size = 0;
      open.set(next, { file: f, at: 0, append: (fdflags & 1) !== 0 });
      view().setUint32(out, next++, true);
      return OK;
    },
    fd_close: (fd) => (fd <= ROOT || open.delete(fd) ? OK : BADF),
    fd_read(fd, iovs, n, out) {
      const o = open.get(fd);
      if (fd === 0) return view().setUint32(out, 0, true), OK;
      if (!o) return BADF;
      o.at += read(o.file, o.at, iovs, n, out);
      return OK;
    },
    fd_pread(fd, iovs, n, at, out) {
      const o = open.get(fd);
      if (!o) return BADF;
      read(o.file, Number(at), iovs, n, out);
      return OK;
    },
    fd_write(fd, iovs, n, out) {
      const o = open.get(fd);
      if (fd === 1 || fd === 2) {
        let total = 0, said = "";
        for (const from of vectors(iovs, n)) {
          said += new TextDecoder().decode(from);
          total += from.length;
        }
        say(said);
        view().setUint32(out, total, true);
        return OK;
      }
      if (!o) return BADF;
      if (o.append) o.at = o.file.size;
      o.at += write(o.file, o.at, iovs, n, out);
      return OK;
    },
    fd_pwrite(fd, iovs, n, at, out) {
      const o = open.get(fd);
      if (!o) return BADF;
      write(o.file, Number(at), iovs, n, out);
      return OK;
    },
    fd_seek(fd, offset, whence, out) {
      const o = open.get(fd);
      if (!o) return BADF;
      const to = Number(offset) + (whence === 0 ? 0 : whence === 1 ? o.at : o.file.size);
      if (to < 0) return INVAL;
      o.at = to;
      view().setBigUint64(out, BigInt(to), true);
      return OK;
    },
    fd_tell(fd, out) {
      const o = open.get(fd);
      if (!o) return BADF;
      view().setBigUint64(out, BigInt(o.at), true);
      return OK;
    },
    fd_sync: () => OK,
    fd_datasync: () => OK,
    fd_advise: () => OK,
    fd_allocate: () => OK,
    fd_renumber(from, to) {
      if (!open.has(from)) return BADF;
      open.set(to, open.get(from));
      open.delete(from);
      return OK;
    },
    fd_readdir(fd, at, n, cookie, out) {
      view().setUint32(out, 0, true);
      return OK;
    },
    path_rename(fd, from, n, fd2, to, m) {
      const a = name(from, n), f = files.byName.get(a);
      if (!f) return NOENT;
      files.byName.delete(a);
      files.byName.set(name(to, m), f);
      return OK;
    },
    path_unlink_file: (fd, path, n) => (files.remove(name(path, n)) ? OK : NOENT),
    path_readlink: () => INVAL,
    clock_res_get(id, out) {
      view().setBigUint64(out, 1000n, true);
      return OK;
    },
    clock_time_get(id, precision, out) {
      const ms = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(out, BigInt(Math.round(ms * 1e6)), true);
      return OK;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return OK;
    },
    environ_get: () => OK,
    args_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return OK;
    },
    args_get: () => OK,
    random_get(at, n) { // names of temporary files alone: no number depends on it
      for (const b = bytes(at, n); n-- > 0;) b[n] = Math.floor(Math.random() * 256);
      return OK;
    },
    sched_yield: () => OK,
    proc_exit(code) {
      throw new Error("bristle.wasm ended with code " + code);
    },
  };
  const imports = new Proxy(calls, { get: (all, key) => all[key] || (() => NOSYS) });
  return { imports, attach: (m) => (memory = m) };
}
