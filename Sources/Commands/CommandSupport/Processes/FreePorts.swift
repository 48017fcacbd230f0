import Foundation

/// Ports of loopback that no other process is given while this value lives, for listeners whose URL is known before
/// they open.
///
/// A bound socket that never listens holds each port. The system does not give the port to a process that asks for any
/// free one. A server that names the port gets it, also after a restart, because both allow an address to be used
/// again.
package final class FreePorts: Sendable {
    /// Error number of the system (`errno`), which gave no port.
    package struct Exhausted: Error {
        package let number: Int32
    }

    package let numbers: [Int]
    private let sockets: [Int32]

    /// Takes different ports.
    ///
    /// Throws ``Exhausted``.
    package init(_ count: Int) throws(Exhausted) {
        var (sockets, numbers): ([Int32], [Int]) = ([], [])
        for _ in 0..<count {
            let descriptor = Self.streamSocket()
            let port = descriptor < 0 ? 0 : Self.boundPort(of: descriptor)
            guard port > 0 else {
                let number = errno
                for socket in sockets + [descriptor] where socket >= 0 { close(socket) }
                throw Exhausted(number: number)
            }
            sockets.append(descriptor)
            numbers.append(port)
        }
        self.sockets = sockets
        self.numbers = numbers
    }

    /// Whether a listener on 127.0.0.1 would get a port now.
    package static func isFree(_ port: Int) -> Bool {
        let descriptor = streamSocket()
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return boundPort(of: descriptor, to: UInt16(clamping: port)) == port
    }

    deinit {
        for socket in sockets { close(socket) }
    }

    /// A socket that programs started from here do not get; negative when there is none.
    private static func streamSocket() -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        // Otherwise its error would take the place of the one that is told.
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    /// The port of loopback that a socket was bound to, a free one for 0; 0 when there is none.
    private static func boundPort(of descriptor: Int32, to port: UInt16 = 0) -> Int {
        var isReusable: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(descriptor, general, length) == 0 ? getsockname(descriptor, general, &length) : -1
            }
        }
        return result == 0 ? Int(UInt16(bigEndian: name.sin_port)) : 0
    }
}
