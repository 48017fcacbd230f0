import HardwareKeys
import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clocks of the operating system.
package struct SystemCoolDownClock: CoolDownClock {
    private let bootID: BootID

    /// Asks the operating system which run this is.
    ///
    /// On systems that do not tell, every start of the process counts as a new run: a wait then begins again.
    package init() {
        let fresh = FreshOctets.make(count: BootID.byteCount)
        guard let bootID = Self.systemBootID() ?? BootID(fresh) else {
            preconditionFailure("a boot id has the number of bytes that was asked for")
        }
        self.bootID = bootID
    }

    package func read() -> ClockReading {
        let wall = Self.time(CLOCK_REALTIME)
        #if canImport(Darwin)
            let boot = Self.time(CLOCK_MONOTONIC)
        #else
            let boot = Self.time(CLOCK_BOOTTIME)
        #endif
        return ClockReading(
            wallSeconds: Int64(wall.tv_sec), bootID: bootID,
            bootMilliseconds: Int64(boot.tv_sec) * 1_000 + Int64(boot.tv_nsec) / 1_000_000)
    }

    private static func time(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    private static func systemBootID() -> BootID? {
        #if canImport(Darwin)
            var text = [UInt8](repeating: 0, count: 64)
            var size = text.count
            guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return nil }
        #else
            guard let text = firstBytes(of: "/proc/sys/kernel/random/boot_id") else { return nil }
        #endif
        let digits = text.prefix(36).filter { $0 != UInt8(ascii: "-") }
        guard let octets = try? Hex.decode(String(decoding: digits, as: UTF8.self)) else { return nil }
        return BootID(octets)
    }

    private static func firstBytes(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { buffer in
            #if canImport(Glibc)
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
                Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
        }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
