// SPDX-License-Identifier: Apache-2.0
// lzma.js - the bytes of an .lzma file (as `xz --format=lzma` writes it).  A sixth smaller than the gzip that browsers can
// undo by themselves; names are those of the format's specification.

const PROB = 1024;
const probs = (n) => new Uint16Array(n).fill(PROB);

class RangeDecoder {
  constructor(bytes, at) {
    Object.assign(this, { bytes, at: at + 1, code: 0, range: 0xffffffff });
    for (let i = 0; i < 4; i++) this.code = ((this.code << 8) | bytes[this.at++]) >>> 0;
  }

  normalize() {
    if (this.range >= 0x1000000) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.bytes[this.at++]) >>> 0;
  }

  bit(p, i) {
    const v = p[i], bound = (this.range >>> 11) * v;
    if (this.code < bound) {
      this.range = bound;
      p[i] = v + ((2048 - v) >> 5);
      this.normalize();
      return 0;
    }
    this.range -= bound;
    this.code -= bound;
    p[i] = v - (v >> 5);
    this.normalize();
    return 1;
  }

  direct(n) {
    let out = 0;
    for (; n > 0; n--) {
      this.range = this.range >>> 1;
      const one = this.code >= this.range ? 1 : 0;
      if (one) this.code -= this.range;
      this.normalize();
      out = out * 2 + one;
    }
    return out;
  }

  tree(p, bits, from = 0) {
    let m = 1;
    for (let i = 0; i < bits; i++) m = m * 2 + this.bit(p, from + m);
    return m - (1 << bits);
  }

  reverse(p, bits, from = 0) {
    let m = 1, out = 0;
    for (let i = 0; i < bits; i++) {
      const b = this.bit(p, from + m);
      m = m * 2 + b;
      out += b << i;
    }
    return out;
  }
}

class Lengths {
  constructor() {
    Object.assign(this, { choice: probs(2), low: probs(16 << 3), mid: probs(16 << 3), high: probs(256) });
  }

  decode(rc, state) {
    if (!rc.bit(this.choice, 0)) return rc.tree(this.low, 3, state << 3);
    if (!rc.bit(this.choice, 1)) return 8 + rc.tree(this.mid, 3, state << 3);
    return 16 + rc.tree(this.high, 8);
  }
}

class Window {
  constructor(size) {
    Object.assign(this, { data: new Uint8Array(size), n: 0 });
  }

  put(byte) {
    if (this.n === this.data.length) {
      const more = new Uint8Array(2 * this.n);
      more.set(this.data);
      this.data = more;
    }
    this.data[this.n++] = byte;
  }

  copy(distance, length) {
    if (distance > this.n) throw new Error("lzma: the bytes are damaged");
    for (; length > 0; length--) this.put(this.data[this.n - distance]);
  }
}

function distance(rc, d, length) {
  const slot = rc.tree(d.slot, 6, Math.min(length, 3) << 6);
  if (slot < 4) return slot;
  const bits = (slot >> 1) - 1, base = (2 | (slot & 1)) * 2 ** bits;
  if (slot < 14) return base + rc.reverse(d.special, bits, base - slot);
  return base + rc.direct(bits - 4) * 16 + rc.reverse(d.align, 4);
}

function literal(rc, p, out, rep, matched) {
  let symbol = 1;
  if (matched) {
    let match = out.data[out.n - rep - 1];
    while (symbol < 0x100) {
      const want = (match >> 7) & 1, bit = rc.bit(p.all, p.from + ((1 + want) << 8) + symbol);
      match <<= 1;
      symbol = symbol * 2 + bit;
      if (want !== bit) break;
    }
  }
  while (symbol < 0x100) symbol = symbol * 2 + rc.bit(p.all, p.from + symbol);
  out.put(symbol & 0xff);
}

export function unlzma(bytes) {
  const lc = bytes[0] % 9, rest = (bytes[0] / 9) | 0, lp = rest % 5, pb = (rest / 5) | 0;
  const rc = new RangeDecoder(bytes, 13), out = new Window(1 << 20), all = probs(0x300 << (lc + lp));
  const isMatch = probs(192), isRep = probs(12), isRep0 = probs(12), isRep1 = probs(12), isRep2 = probs(12), isRep0Long = probs(192);
  const match = new Lengths(), again = new Lengths(), d = { slot: probs(256), special: probs(128), align: probs(16) };
  let state = 0, rep = [0, 0, 0, 0];
  for (;;) {
    const at = out.n & ((1 << pb) - 1), row = (state << 4) + at;
    if (!rc.bit(isMatch, row)) {
      const before = out.n ? out.data[out.n - 1] : 0, from = 0x300 * (((out.n & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
      literal(rc, { all, from }, out, rep[0], state >= 7);
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length;
    if (!rc.bit(isRep, state)) {
      length = match.decode(rc, at);
      state = state < 7 ? 7 : 10;
      rep = [distance(rc, d, length), rep[0], rep[1], rep[2]];
      if (rep[0] === 0xffffffff) return out.data.subarray(0, out.n);
    } else {
      let k = 0;
      if (!rc.bit(isRep0, state)) {
        if (!rc.bit(isRep0Long, row)) {
          state = state < 7 ? 9 : 11;
          out.copy(rep[0] + 1, 1);
          continue;
        }
      } else k = !rc.bit(isRep1, state) ? 1 : !rc.bit(isRep2, state) ? 2 : 3;
      rep = [rep[k], ...rep.filter((_, i) => i !== k)];
      length = again.decode(rc, at);
      state = state < 7 ? 8 : 11;
    }
    out.copy(rep[0] + 1, length + 2);
  }
}
