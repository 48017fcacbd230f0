import CommandSupport
package import ServerCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Choice of a free port by the operating system, for listeners whose URL has to be known before they open.
package enum FreePort {
    /// The address, with a free port in place of port 0.
    package static func chosen(for address: ListenerAddress) throws -> ListenerAddress {
        guard address.port == 0 else { return address }
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: address.authority, number: errno) }
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(descriptor, general, length) == 0 ? getsockname(descriptor, general, &length) : -1
            }
        }
        guard result == 0 else { throw PosixFiles.Failure(path: address.authority, number: errno) }
        return ListenerAddress(host: address.host, port: Int(UInt16(bigEndian: name.sin_port)))
    }
}
