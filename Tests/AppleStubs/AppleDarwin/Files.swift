// Names, types and documentation are in Apple's headers. The values are Linux's wherever they reach the
// system.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

import Glibc

public typealias mode_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias nlink_t = UInt16
public typealias uid_t = UInt32
public typealias off_t = Int64

public let S_IFMT: mode_t = 0o170_000
public let S_IFREG: mode_t = 0o100_000
public let S_IFDIR: mode_t = 0o040_000

public let O_RDONLY = Glibc.O_RDONLY
public let O_WRONLY = Glibc.O_WRONLY
public let O_RDWR = Glibc.O_RDWR
public let O_APPEND = Glibc.O_APPEND
public let O_CREAT = Glibc.O_CREAT
public let O_EXCL = Glibc.O_EXCL
public let O_NONBLOCK = Glibc.O_NONBLOCK
public let O_NOFOLLOW = Glibc.O_NOFOLLOW
public let O_CLOEXEC = Glibc.O_CLOEXEC
public let O_DIRECTORY = Glibc.O_DIRECTORY
public let F_OK = Glibc.F_OK
public let R_OK = Glibc.R_OK
public let W_OK = Glibc.W_OK
public let SEEK_SET = Glibc.SEEK_SET
public let F_SETFD = Glibc.F_SETFD
public let FD_CLOEXEC = Glibc.FD_CLOEXEC
public let F_WRLCK = Int32(Glibc.F_WRLCK)
public let F_UNLCK = Int32(Glibc.F_UNLCK)
public let F_FULLFSYNC: Int32 = 51
public let F_SETPROTECTIONCLASS: Int32 = 64
private let F_OFD_SETLK: Int32 = 90

public struct stat {
    public var st_dev: dev_t = 0
    public var st_mode: mode_t = 0
    public var st_nlink: nlink_t = 0
    public var st_ino: ino_t = 0
    public var st_uid: uid_t = 0
    public var st_size: off_t = 0

    public init() {}

    fileprivate init(_ found: Glibc.stat) {
        st_dev = dev_t(truncatingIfNeeded: found.st_dev)
        st_mode = mode_t(truncatingIfNeeded: found.st_mode)
        st_nlink = nlink_t(clamping: found.st_nlink)
        st_ino = ino_t(found.st_ino)
        st_uid = found.st_uid
        st_size = off_t(found.st_size)
    }
}

public struct flock {
    public var l_start: off_t = 0
    public var l_len: off_t = 0
    public var l_pid: Int32 = 0
    public var l_type: Int16 = 0
    public var l_whence: Int16 = 0

    public init() {}
}

public struct dirent {
    public var d_ino: ino_t = 0
    public var d_type: UInt8 = 0
    public var d_name = InlineArray<1_024, CChar>(repeating: 0)
}

public struct DIR {
    fileprivate let stream: OpaquePointer
    fileprivate let entry = UnsafeMutablePointer<dirent>.allocate(capacity: 1)
}

public func realpath(
    _ path: UnsafePointer<CChar>!, _ buffer: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! {
    Glibc.realpath(path, buffer)
}

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { Glibc.open(path, oflag) }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
    Glibc.open(path, oflag, Glibc.mode_t(mode))
}

@discardableResult
public func close(_ fd: Int32) -> Int32 { Glibc.close(fd) }

@discardableResult
public func read(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int { Glibc.read(fd, buffer, count) }

@discardableResult
public func pread(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t) -> Int {
    Glibc.pread(fd, buffer, count, Glibc.off_t(offset))
}

@discardableResult
public func write(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { Glibc.write(fd, buffer, count) }

@discardableResult
public func fsync(_ fd: Int32) -> Int32 { Glibc.fsync(fd) }

@discardableResult
public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 {
    var found = Glibc.stat()
    let result = Glibc.fstat(fd, &found)
    if result == 0 { status.pointee = stat(found) }
    return result
}

@discardableResult
public func lstat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 {
    var found = Glibc.stat()
    let result = Glibc.lstat(path, &found)
    if result == 0 { status.pointee = stat(found) }
    return result
}

@discardableResult
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 {
    guard cmd == F_FULLFSYNC else { return Glibc.fcntl(fd, cmd) }
    let isKnown = StubKernel.current.with { state in
        state.fullSyncs += 1
        return state.hasFullSync
    }
    if isKnown { return Glibc.fsync(fd) }
    errno = ENOTSUP
    return -1
}

@discardableResult
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 {
    guard cmd == F_SETPROTECTIONCLASS else { return Glibc.fcntl(fd, cmd, value) }
    return answer(
        StubKernel.current.with { state in
            state.protectionClasses.append(value)
            return state.protectionAnswer
        })
}

@discardableResult
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 {
    guard cmd == F_OFD_SETLK else { return answer(EINVAL) }
    let asked = ptr.load(as: flock.self)
    var region = Glibc.flock()
    region.l_type = asked.l_type
    region.l_whence = asked.l_whence
    region.l_start = Glibc.off_t(asked.l_start)
    region.l_len = Glibc.off_t(asked.l_len)
    // F_OFD_SETLK of Linux.
    return Glibc.fcntl(fd, 37, &region)
}

@discardableResult
public func setxattr(
    _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!, _ size: Int,
    _ position: UInt32, _ options: Int32
) -> Int32 {
    let (path, name) = (String(cString: path), String(cString: name))
    let octets = [UInt8](UnsafeRawBufferPointer(start: value, count: size))
    return answer(
        StubKernel.current.with { state in
            state.attributes[path, default: [:]][name] = octets
            return state.attributeAnswer
        })
}

/// The result of a call that ends with an error code, 0 for none.
private func answer(_ code: Int32) -> Int32 {
    errno = code
    return code == 0 ? 0 : -1
}

@discardableResult
public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 {
    let name = String(cString: path)
    return StubKernel.current.with { $0.paths.contains(name) } ? 0 : Glibc.access(path, mode)
}

@discardableResult
public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { Glibc.mkdir(path, Glibc.mode_t(mode)) }

@discardableResult
public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 { Glibc.rename(old, new) }

@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { Glibc.unlink(path) }

public func opendir(_ path: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>! {
    guard let stream = Glibc.opendir(path) else { return nil }
    let folder = UnsafeMutablePointer<DIR>.allocate(capacity: 1)
    folder.initialize(to: DIR(stream: stream))
    return folder
}

public func readdir(_ folder: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
    guard let found = Glibc.readdir(folder.pointee.stream) else { return nil }
    let entry = folder.pointee.entry
    entry.initialize(to: dirent())
    entry.pointee.d_ino = ino_t(found.pointee.d_ino)
    entry.pointee.d_type = found.pointee.d_type
    withUnsafeMutableBytes(of: &entry.pointee.d_name) { name in
        withUnsafeBytes(of: &found.pointee.d_name) { name.copyBytes(from: $0) }
    }
    return entry
}

@discardableResult
public func closedir(_ folder: UnsafeMutablePointer<DIR>!) -> Int32 {
    defer {
        folder.pointee.entry.deallocate()
        folder.deallocate()
    }
    return Glibc.closedir(folder.pointee.stream)
}

public struct FILE {}

extension UnsafeMutablePointer<FILE> {
    fileprivate var own: UnsafeMutablePointer<Glibc.FILE> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Glibc.FILE.self)
    }
}

public func fopen(_ path: UnsafePointer<CChar>!, _ mode: UnsafePointer<CChar>!) -> UnsafeMutablePointer<FILE>! {
    Glibc.fopen(path, mode).map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: FILE.self) }
}

@discardableResult
public func fread(
    _ buffer: UnsafeMutableRawPointer!, _ size: Int, _ count: Int, _ file: UnsafeMutablePointer<FILE>!
) -> Int {
    Glibc.fread(buffer, size, count, file.own)
}

@discardableResult
public func fclose(_ file: UnsafeMutablePointer<FILE>!) -> Int32 { Glibc.fclose(file.own) }
