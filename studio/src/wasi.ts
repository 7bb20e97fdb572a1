// What the library asks of an operating system (WASI preview 1), for a worker that has none: files in memory, a clock, chance.

const ok = 0, badFile = 8, exists = 20, invalid = 28, isDirectory = 31, missing = 44, notSupported = 52, notDirectory = 54, notEmpty = 55;

interface Folder { kind: 'folder'; entries: Map<string, Entry>; id: number; }
interface File { kind: 'file'; bytes: Uint8Array; size: number; id: number; }
type Entry = Folder | File;
interface Open { entry: Entry; at: number; append: boolean; }

/** A program that ends instead of answering. */
export class Ended extends Error {}

export class Wasi {
  memory!: WebAssembly.Memory;
  private last = 0;
  private readonly top: Folder = this.folder();
  private readonly open = new Map<number, Open>();

  constructor() {
    this.top.entries.set('tmp', this.folder());
    this.open.set(3, {entry: this.top, at: 0, append: false});  // the one folder that the library starts with: /
  }

  private folder(): Folder { return {kind: 'folder', entries: new Map(), id: ++this.last}; }

  private get view(): DataView { return new DataView(this.memory.buffer); }
  private text(at: number, length: number): string { return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length)); }

  /** The entry of a path below a folder, or the folder it would stand in: none where that is missing. */
  private find(from: Entry, path: string): {parent: Folder; name: string; entry: Entry | undefined} | undefined {
    const parents: Folder[] = [];
    let here: Entry | undefined = path.startsWith('/') ? this.top : from, parent = this.top, name = '';
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (here?.kind !== 'folder') return undefined;
      if (part === '..') { here = parents.pop() ?? this.top; parent = parents.at(-1) ?? this.top; continue; }
      parents.push(here);
      parent = here;
      name = part;
      here = here.entries.get(part);
    }
    return {parent, name, entry: here};
  }

  private at<T>(fd: number, path: number, length: number, then: (found: {parent: Folder; name: string; entry: Entry | undefined}) => T): T | number {
    const from = this.open.get(fd);
    if (!from) return badFile;
    const found = this.find(from.entry, this.text(path, length));
    return found ? then(found) : missing;
  }

  /** Pieces of memory that a list of (address, length) names. */
  private pieces(list: number, count: number): Uint8Array[] {
    const view = this.view;
    return Array.from({length: count}, (_, k) => new Uint8Array(this.memory.buffer, view.getUint32(list + 8 * k, true), view.getUint32(list + 8 * k + 4, true)));
  }

  private writeStat(entry: Entry, out: number): number {
    const view = this.view;
    new Uint8Array(this.memory.buffer, out, 64).fill(0);
    view.setBigUint64(out + 8, BigInt(entry.id), true);
    view.setUint8(out + 16, entry.kind === 'folder' ? 3 : 4);
    view.setBigUint64(out + 24, 1n, true);
    view.setBigUint64(out + 32, BigInt(entry.kind === 'file' ? entry.size : 0), true);
    return ok;
  }

  private resize(file: File, size: number): void {
    if (size > file.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * file.bytes.length));
      larger.set(file.bytes.subarray(0, file.size));
      file.bytes = larger;
    } else if (size > file.size) {
      file.bytes.fill(0, file.size, size);
    }
    file.size = size;
  }

  private readFrom(file: File, from: number, list: number, count: number): number {
    let at = from;
    for (const piece of this.pieces(list, count)) {
      const part = file.bytes.subarray(at, Math.min(at + piece.length, file.size));
      piece.set(part);
      at += part.length;
    }
    return at - from;
  }

  private writeTo(file: File, from: number, list: number, count: number): number {
    let at = from;
    for (const piece of this.pieces(list, count)) {
      if (at + piece.length > file.size) this.resize(file, at + piece.length);
      file.bytes.set(piece, at);
      at += piece.length;
    }
    return at - from;
  }

  private file(fd: number, then: (open: Open, file: File) => number): number {
    const open = this.open.get(fd);
    return !open ? badFile : open.entry.kind === 'folder' ? isDirectory : then(open, open.entry);
  }

  /** What is neither a file nor a folder here is refused, so that the library says what it cannot have. */
  readonly imports: WebAssembly.ModuleImports = {
    args_sizes_get: (count: number, size: number) => { this.view.setUint32(count, 0, true); this.view.setUint32(size, 0, true); return ok; },
    args_get: () => ok,
    environ_sizes_get: (count: number, size: number) => { this.view.setUint32(count, 0, true); this.view.setUint32(size, 0, true); return ok; },
    environ_get: () => ok,
    clock_res_get: (_: number, out: number) => { this.view.setBigUint64(out, 1000n, true); return ok; },
    clock_time_get: (which: number, _: bigint, out: number) => {
      this.view.setBigUint64(out, BigInt(Math.round(1e6 * (which === 0 ? Date.now() : performance.now()))), true);
      return ok;
    },
    random_get: (at: number, length: number) => { crypto.getRandomValues(new Uint8Array(this.memory.buffer, at, length)); return ok; },
    sched_yield: () => ok,
    proc_exit: (code: number) => { throw new Ended(`the library ended with ${code}`); },
    poll_oneoff: () => notSupported,

    fd_prestat_get: (fd: number, out: number) => {
      if (fd !== 3) return badFile;
      this.view.setUint32(out, 0, true);
      this.view.setUint32(out + 4, 1, true);
      return ok;
    },
    fd_prestat_dir_name: (_: number, at: number) => { this.view.setUint8(at, 47); return ok; },
    fd_fdstat_get: (fd: number, out: number) => {
      const open = this.open.get(fd);
      if (!open && fd > 2) return badFile;
      new Uint8Array(this.memory.buffer, out, 24).fill(0);
      this.view.setUint8(out, !open ? 2 : open.entry.kind === 'folder' ? 3 : 4);
      this.view.setUint16(out + 2, open?.append ? 1 : 0, true);
      this.view.setBigUint64(out + 8, (1n << 30n) - 1n, true);
      this.view.setBigUint64(out + 16, (1n << 30n) - 1n, true);
      return ok;
    },
    fd_fdstat_set_flags: () => ok,
    fd_filestat_get: (fd: number, out: number) => {
      const open = this.open.get(fd);
      if (open) return this.writeStat(open.entry, out);
      if (fd > 2) return badFile;
      new Uint8Array(this.memory.buffer, out, 64).fill(0);
      this.view.setUint8(out + 16, 2);
      return ok;
    },
    fd_filestat_set_size: (fd: number, size: bigint) => this.file(fd, (_, file) => { this.resize(file, Number(size)); return ok; }),
    fd_filestat_set_times: () => ok,
    fd_sync: () => ok,
    fd_datasync: () => ok,
    fd_advise: () => ok,
    fd_close: (fd: number) => (this.open.delete(fd) ? ok : badFile),
    fd_tell: (fd: number, out: number) => this.file(fd, open => { this.view.setBigUint64(out, BigInt(open.at), true); return ok; }),
    fd_seek: (fd: number, offset: bigint, whence: number, out: number) => this.file(fd, (open, file) => {
      const at = Number(offset) + (whence === 0 ? 0 : whence === 1 ? open.at : file.size);
      if (at < 0) return invalid;
      open.at = at;
      this.view.setBigUint64(out, BigInt(at), true);
      return ok;
    }),
    fd_read: (fd: number, list: number, count: number, out: number) => {
      if (fd === 0) { this.view.setUint32(out, 0, true); return ok; }
      return this.file(fd, (open, file) => {
        const size = this.readFrom(file, open.at, list, count);
        open.at += size;
        this.view.setUint32(out, size, true);
        return ok;
      });
    },
    fd_pread: (fd: number, list: number, count: number, at: bigint, out: number) => this.file(fd, (_, file) => {
      this.view.setUint32(out, this.readFrom(file, Number(at), list, count), true);
      return ok;
    }),
    fd_write: (fd: number, list: number, count: number, out: number) => {
      if (fd === 1 || fd === 2) {  // what nobody has redirected is for who develops
        const pieces = this.pieces(list, count);
        console.debug(pieces.map(p => new TextDecoder().decode(p)).join(''));
        this.view.setUint32(out, pieces.reduce((sum, p) => sum + p.length, 0), true);
        return ok;
      }
      return this.file(fd, (open, file) => {
        if (open.append) open.at = file.size;
        const size = this.writeTo(file, open.at, list, count);
        open.at += size;
        this.view.setUint32(out, size, true);
        return ok;
      });
    },
    fd_pwrite: (fd: number, list: number, count: number, at: bigint, out: number) => this.file(fd, (_, file) => {
      this.view.setUint32(out, this.writeTo(file, Number(at), list, count), true);
      return ok;
    }),
    fd_readdir: (fd: number, buffer: number, length: number, cookie: bigint, out: number) => {
      const folder = this.open.get(fd)?.entry;
      if (folder?.kind !== 'folder') return folder ? notDirectory : badFile;
      const all: [string, Entry][] = [['.', folder], ['..', folder], ...folder.entries], into = new Uint8Array(this.memory.buffer, buffer, length);
      let at = 0;
      for (let k = Number(cookie); k < all.length && at < length; ++k) {
        const [name, entry] = all[k]!, text = new TextEncoder().encode(name), row = new Uint8Array(24 + text.length), view = new DataView(row.buffer);
        view.setBigUint64(0, BigInt(k + 1), true);
        view.setBigUint64(8, BigInt(entry.id), true);
        view.setUint32(16, text.length, true);
        view.setUint8(20, entry.kind === 'folder' ? 3 : 4);
        row.set(text, 24);
        into.set(row.subarray(0, length - at), at);
        at = Math.min(length, at + row.length);
      }
      this.view.setUint32(out, at, true);
      return ok;
    },

    path_open: (fd: number, _: number, path: number, length: number, how: number, _rights: bigint, _inherited: bigint, flags: number, out: number) =>
      this.at(fd, path, length, ({parent, name, entry}) => {
        const create = (how & 1) !== 0, folder = (how & 2) !== 0, exclusive = (how & 4) !== 0, cut = (how & 8) !== 0;
        if (entry && create && exclusive) return exists;
        if (entry && folder && entry.kind !== 'folder') return notDirectory;
        if (!entry && (!create || !name)) return missing;
        const found = entry ?? {kind: 'file', bytes: new Uint8Array(256), size: 0, id: ++this.last} satisfies File;
        if (!entry) parent.entries.set(name, found);
        if (cut && found.kind === 'file') found.size = 0;
        let free = 4;
        while (this.open.has(free)) ++free;
        this.open.set(free, {entry: found, at: 0, append: (flags & 1) !== 0});
        this.view.setUint32(out, free, true);
        return ok;
      }),
    path_filestat_get: (fd: number, _: number, path: number, length: number, out: number) =>
      this.at(fd, path, length, ({entry}) => (entry ? this.writeStat(entry, out) : missing)),
    path_filestat_set_times: () => ok,
    path_create_directory: (fd: number, path: number, length: number) => this.at(fd, path, length, ({parent, name, entry}) => {
      if (entry) return exists;
      parent.entries.set(name, this.folder());
      return ok;
    }),
    path_remove_directory: (fd: number, path: number, length: number) => this.at(fd, path, length, ({parent, name, entry}) => {
      if (entry?.kind !== 'folder') return entry ? notDirectory : missing;
      if (entry.entries.size > 0) return notEmpty;
      parent.entries.delete(name);
      return ok;
    }),
    path_unlink_file: (fd: number, path: number, length: number) => this.at(fd, path, length, ({parent, name, entry}) => {
      if (entry?.kind !== 'file') return entry ? isDirectory : missing;
      parent.entries.delete(name);
      return ok;
    }),
    path_rename: (fd: number, path: number, length: number, toFd: number, toPath: number, toLength: number) => this.at(fd, path, length, from =>
      !from.entry ? missing : this.at(toFd, toPath, toLength, to => {
        from.parent.entries.delete(from.name);
        to.parent.entries.set(to.name, from.entry!);
        return ok;
      })),
    path_readlink: () => invalid,  // there are none
    path_link: () => notSupported,
    path_symlink: () => notSupported,
  };
}
