// Names, types and documentation are in Apple's headers. The values are Linux's wherever they reach the
// system.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

import Glibc

public typealias rlim_t = UInt64
public typealias pid_t = Int32
public typealias useconds_t = UInt32

public struct rlimit {
    public var rlim_cur: rlim_t
    public var rlim_max: rlim_t

    public init(rlim_cur: rlim_t, rlim_max: rlim_t) {
        self.rlim_cur = rlim_cur
        self.rlim_max = rlim_max
    }

    public init() { self.init(rlim_cur: 0, rlim_max: 0) }
}

public let RLIMIT_FSIZE = Int32(Glibc.RLIMIT_FSIZE.rawValue)

@discardableResult
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 {
    var both = Glibc.rlimit(rlim_cur: UInt(limit.pointee.rlim_cur), rlim_max: UInt(limit.pointee.rlim_max))
    return Glibc.setrlimit(__rlimit_resource_t(UInt32(resource)), &both)
}

/// The part of `struct extern_proc` that has flags.
public struct extern_proc {
    public var p_flag: Int32 = 0
    public var p_pid: pid_t = 0
}

public struct kinfo_proc {
    public var kp_proc = extern_proc()

    public init() {}
}

public let CTL_KERN: Int32 = 1
public let KERN_PROC: Int32 = 14
public let KERN_PROC_PID: Int32 = 1
public let P_TRACED: Int32 = 0x800

@discardableResult
public func sysctl(
    _ name: UnsafeMutablePointer<Int32>!, _ count: UInt32, _ old: UnsafeMutableRawPointer!,
    _ oldSize: UnsafeMutablePointer<Int>!, _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 {
    let asked = [Int32](UnsafeBufferPointer(start: name, count: Int(count)))
    let (flags, isTold) = StubKernel.current.with { ($0.processFlags, $0.tellsOfProcesses) }
    guard asked == [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()], isTold, new == nil,
        oldSize.pointee >= MemoryLayout<kinfo_proc>.size
    else {
        errno = EINVAL
        return -1
    }
    var process = kinfo_proc()
    process.kp_proc.p_flag = flags
    process.kp_proc.p_pid = getpid()
    old.storeBytes(of: process, as: kinfo_proc.self)
    oldSize.pointee = MemoryLayout<kinfo_proc>.size
    return 0
}

@discardableResult
public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldSize: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 {
    guard String(cString: name) == "kern.bootsessionuuid", let text = StubKernel.current.with({ $0.bootSession }),
        text.utf8.count < oldSize.pointee
    else {
        errno = ENOENT
        return -1
    }
    let octets = Array(text.utf8) + [0]
    old.copyMemory(from: octets, byteCount: octets.count)
    oldSize.pointee = octets.count
    return 0
}

public func getpid() -> pid_t { Glibc.getpid() }

public func geteuid() -> uid_t { Glibc.geteuid() }

public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { Glibc.getenv(name) }

@discardableResult
public func kill(_ pid: pid_t, _ signal: Int32) -> Int32 { Glibc.kill(pid, signal) }

public func _exit(_ status: Int32) -> Never { Glibc._exit(status) }

@discardableResult
public func sleep(_ seconds: UInt32) -> UInt32 { Glibc.sleep(seconds) }

@discardableResult
public func usleep(_ microseconds: useconds_t) -> Int32 { Glibc.usleep(microseconds) }

public struct timespec {
    public var tv_sec = 0
    public var tv_nsec = 0

    public init() {}
}

public struct clockid_t: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

public let CLOCK_REALTIME = clockid_t(0)
public let CLOCK_MONOTONIC = clockid_t(6)

@discardableResult
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 {
    // The monotonic clock of Darwin goes on while the system sleeps.
    let clock = clock == CLOCK_REALTIME ? Glibc.CLOCK_REALTIME : Glibc.CLOCK_BOOTTIME
    return time.withMemoryRebound(to: Glibc.timespec.self, capacity: 1) { Glibc.clock_gettime(clock, $0) }
}

public func _dyld_image_count() -> UInt32 { UInt32(StubKernel.current.with { $0.images.count }) }

public func _dyld_get_image_name(_ index: UInt32) -> UnsafePointer<CChar>! {
    let name = StubKernel.current.with { Int(index) < $0.images.count ? $0.images[Int(index)] : nil }
    // As on Apple platforms the text stays; the few of a test are never given back.
    return name.flatMap { UnsafePointer(strdup($0)) }
}
