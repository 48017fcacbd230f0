#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ports of this machine that nobody else is given while this value lives.
///
/// A socket that is bound and never listens holds each of them: the system gives it to nobody who asks for any free port, and a
/// server that names it gets it, also after a restart, because both allow an address to be used again.
final class FreePorts: Sendable {
    /// The system gave none.
    struct Exhausted: Error {}

    /// Numbers of the ports.
    let numbers: [Int]
    private let sockets: [Int32]

    /// Takes different ports.
    init(_ count: Int) throws {
        sockets = (0..<count).map { _ in Self.boundSocket() }
        numbers = sockets.map(Self.port)
        guard numbers.allSatisfy({ $0 > 0 }) else { throw Exhausted() }
        #if canImport(Darwin)
            // Elsewhere than on Linux the socket would be in the way of the server.
            release()
        #endif
    }

    #if !canImport(Darwin)
        deinit { release() }
    #endif

    private func release() {
        for socket in sockets { close(socket) }
    }

    /// A socket on a free port of loopback; without a port when there is none.
    private static func boundSocket() -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isReusable: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    /// The port of a socket; 0 when it has none.
    private static func port(of descriptor: Int32) -> Int {
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 ? Int(UInt16(bigEndian: name.sin_port)) : 0
    }
}
