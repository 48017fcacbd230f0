import HTTPTypes
import Octets
import ServerCore

/// The addresses that proxies have noted in the header of a request, the nearest to us last.
///
/// Everybody can write such fields: an address is believed as far as the proxy that added it is.
struct ForwardedChain {
    /// Hops looked at, from the right; a longer chain of proxies that are all ours is a forgery or a loop.
    private static let hopLimit = 32

    /// One noted address; nil when it is unknown, obfuscated (RFC 7239, 6.3) or no address.
    typealias Hop = IPAddress?

    /// The client of a request whose nearest address is `peer`: the right-most address that is no trusted proxy's.
    ///
    /// It is `peer` itself when that is no trusted proxy; when there are no such fields; and, as the safe form, when
    /// the fields are malformed or hide that address, or when `Forwarded` and `X-Forwarded-For` name different ones.
    static func client(of headers: HTTPFields, peer: IPAddress, proxies: ProxySettings) -> IPAddress {
        guard proxies.trusts(peer) else { return peer }
        let standard = headers.filter { $0.name.canonicalName.hasSameOctets(as: "forwarded") }.map(\.value)
        let customary = headers.filter { $0.name.canonicalName.hasSameOctets(as: "x-forwarded-for") }.map(\.value)
        let first = standard.isEmpty ? nil : client(in: ForwardedField.hops(in: standard), proxies)
        let second = customary.isEmpty ? nil : client(in: CustomaryField.hops(in: customary), proxies)
        if !standard.isEmpty && !customary.isEmpty { return first == second ? first ?? peer : peer }
        return first ?? second ?? peer
    }

    /// The right-most hop that is no trusted proxy, the left-most one when all are; nil when a hop before it says
    /// nothing or there is none.
    private static func client(in hops: [Hop]?, _ proxies: ProxySettings) -> IPAddress? {
        guard let hops else { return nil }
        var last: IPAddress?
        for hop in hops.suffix(hopLimit).reversed() {
            guard let hop else { return nil }
            if !proxies.trusts(hop) { return hop }
            last = hop
        }
        return hops.count > hopLimit ? nil : last
    }
}

/// Reads `X-Forwarded-For`: addresses separated by commas, some proxies add ports.
enum CustomaryField {
    /// The addresses of all fields in their order.
    static func hops(in values: [String]) -> [ForwardedChain.Hop] {
        values.flatMap { value in
            value.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }.map { NodeName.address(in: $0) }
        }
    }
}

extension Substring {
    /// Without blanks and tabs at both ends.
    var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
