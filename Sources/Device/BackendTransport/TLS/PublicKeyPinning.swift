/// Public key pinning: comparison of pins with the certificates behind a connection (RFC 7469, section 2.6).
///
/// A pin names the key of the server or of any authority in its path, of whatever kind the key is.
package struct PublicKeyPinning: Sendable {
    /// Limit of the certificates that are examined: more than any path has, few enough for a hostile server.
    static let longest = 16

    let pins: Set<PublicKeyPin>

    package init(pins: Set<PublicKeyPin>) { self.pins = pins }

    /// Whether one of the keys of a path that the platform has validated is pinned; no pins allow every path.
    func holds(validated chain: [[UInt8]]) -> Bool { pins.isEmpty || !pinned(among: chain).isEmpty }

    /// Whether a pinned authority is in the path of a certificate, through certificates that a server has shown.
    ///
    /// Each step is checked by its signature, so who shows the certificates does not matter; `known` are authorities of
    /// the device, of which servers leave out the last one.
    package func holds(_ leaf: [UInt8], shown: [[UInt8]], known: [[UInt8]] = []) -> Bool {
        guard let leaf = try? ChainCertificate(der: leaf) else { return false }
        var unvisited = (pinned(among: known) + shown.prefix(Self.longest)).compactMap {
            try? ChainCertificate(der: $0)
        }
        var path = [leaf]
        while let current = path.popLast() {
            let signers = unvisited.filter { current.isSigned(by: $0) }
            if signers.contains(where: { pins.contains($0.pin) }) { return true }
            unvisited.removeAll { signers.contains($0) }
            path += signers
        }
        return false
    }

    package func pinned(among certificates: [[UInt8]]) -> [[UInt8]] {
        certificates.filter { der in (try? ChainCertificate(der: der)).map { pins.contains($0.pin) } ?? false }
    }
}
