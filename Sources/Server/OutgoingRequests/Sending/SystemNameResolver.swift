import NIOCore
import NIOPosix
package import Octets
package import OpenID
import ServerCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Resolver of the system (getaddrinfo(3)).
package struct SystemNameResolver: NameResolver {
    package init() {}

    package func addresses(of host: String, within time: Duration) async throws(OutgoingFailure) -> [IPAddress] {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: [IPAddress].self)
        let timer = loop.scheduleTask(in: .milliseconds(time.wholeMilliseconds)) {
            promise.fail(OutgoingFailure.timedOut)
        }
        // The system cannot be told to stop: its thread ends by itself, and no task waits for it any more.
        NIOThreadPool.singleton.submit { state in
            promise.succeed(state == .active ? Self.lookUp(host) : [])
        }
        defer { timer.cancel() }
        do {
            return try await promise.futureResult.get()
        } catch {
            throw OutgoingFailure(reporting: error)
        }
    }

    private static func lookUp(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        var found: [IPAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let entry = next {
            if let address = address(of: entry.pointee), !found.contains(address) { found.append(address) }
            next = entry.pointee.ai_next
        }
        return found
    }

    /// Address of an entry by its numeric text, without the zone that a link-local one has.
    private static func address(of entry: addrinfo) -> IPAddress? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(text.count)
        guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        let octets = text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
        return IPAddress(String(decoding: octets, as: UTF8.self).prefix { $0 != "%" })
    }
}
