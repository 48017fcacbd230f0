package import BackendAPI
package import JOSE

/// A public key that a device has given us; the same key is equal in every spelling.
package struct DeviceKey: Sendable, Hashable {
    package let jwk: JWK
    /// Thumbprint by which the key is compared and found (RFC 7638).
    package let thumbprint: DeviceKeyThumbprint

    package init(_ jwk: JWK) {
        self.jwk = jwk
        guard let thumbprint = DeviceKeyThumbprint(stored: JWKThumbprint(of: jwk).octets) else {
            preconditionFailure("a thumbprint is a SHA-256 value")
        }
        self.thumbprint = thumbprint
    }

    /// Reads the JSON text as stored; nil when it is no public key that we use.
    package init?(stored text: String) {
        guard let jwk = try? JWK(json: Array(text.utf8)) else { return nil }
        self.init(jwk)
    }

    package var text: String { String(decoding: jwk.json, as: UTF8.self) }

    package static func == (one: DeviceKey, other: DeviceKey) -> Bool { one.thumbprint == other.thumbprint }

    package func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }
}

extension DeviceName {
    /// The name with a number behind it, shortened when it gets too long: what a second device of the name is called.
    package func numbered(_ number: Int) -> DeviceName {
        let suffix = " (\(number))"
        let kept = String.UnicodeScalarView(text.unicodeScalars.prefix(128 - suffix.unicodeScalars.count))
        return DeviceName(String(kept) + suffix) ?? self
    }
}

/// Report that a phone sends beside its response, with the context of its sender.
package struct DeviceReport {
    package let context: ResponseContext
    /// Sender of the report, for the audit.
    package let client: ClientContext

    package init(context: ResponseContext, client: ClientContext) {
        self.context = context
        self.client = client
    }
}
