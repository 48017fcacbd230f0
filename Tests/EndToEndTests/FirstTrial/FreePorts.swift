#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ports of this machine that nobody uses.
enum FreePorts {
    /// The system gave none.
    struct Exhausted: Error {}

    /// Takes different ports, all held until each is known.
    static func take(_ count: Int) throws -> [Int] {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        return try (0..<count).map { _ in
            #if canImport(Glibc)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            descriptors.append(descriptor)
            return try port(of: descriptor)
        }
    }

    private static func port(of descriptor: Int32) throws -> Int {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(descriptor, general, length) == 0 ? getsockname(descriptor, general, &length) : -1
            }
        }
        guard result == 0 else { throw Exhausted() }
        return Int(UInt16(bigEndian: name.sin_port))
    }
}
