import FoundationEssentials
import WebAuthn

extension PasskeySettings {
    /// Settings of the judge for a provider at an address such as `https://login.example.com`.
    init(_ passkeys: OpenIDSettings.Passkeys, at address: String, name: String) {
        self.init(
            relyingPartyID: passkeys.domain(at: address), name: name,
            origins: passkeys.origins.isEmpty ? [address] : passkeys.origins)
        attestation = passkeys.attestation
        takesSyncedKeys = passkeys.takesSyncedKeys
    }
}

extension OpenIDSettings.Passkeys {
    /// Domain of the passkeys (RP ID).
    package func domain(at address: String) -> String { relyingPartyID ?? Self.host(of: address) }

    /// Origins whose pages no browser lets use passkeys of the domain (Web Authentication Level 3, 5.1.3, step 7).
    package func uncoveredOrigins(at address: String) -> [String] {
        let domain = domain(at: address)
        let isName = domain.utf8.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } && !domain.contains(":")
        return origins.union([address]).sorted().filter { origin in
            let host = Self.host(of: origin)
            return !isName || host != domain && !host.hasSuffix("." + domain)
        }
    }

    private static func host(of address: String) -> String { URLComponents(string: address)?.host?.lowercased() ?? "" }
}
