import Octets
package import StrictJSON

/// TLS channel binding data of the connection to the server; everything may be unknown.
///
/// FIDO UAF Protocol 1.1, 3.1.10. All values are kept as the base64url text in which they are sent.
public struct ChannelBinding: Hashable, Sendable {
    /// Hash of the server's certificate (`tls-server-end-point`, RFC 5929).
    public var serverEndPoint: String?
    /// The server's certificate.
    public var tlsServerCertificate: String?
    /// TLS Finished message; deprecated, read but never sent by this package.
    public var tlsUnique: String?
    /// TLS channel ID key, or `unused`.
    public var channelIDPublicKey: String?

    /// Creates an empty channel binding.
    public init() {}

    /// Creates a channel binding with the server's certificate, by hash or whole.
    public init(serverEndPoint: String?, tlsServerCertificate: String?) {
        self.serverEndPoint = serverEndPoint
        self.tlsServerCertificate = tlsServerCertificate
    }

    /// Whether nothing is known.
    public var isEmpty: Bool { self == ChannelBinding() }
}

extension ChannelBinding: JSONCoded {
    /// Value of a client whose TLS library supports channel IDs while the server does not.
    package static let unusedChannelID = "unused"

    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init()
        let text = { value throws(JSONTypeError) in try value.asBase64URLText(rules: rules) } as Reader
        serverEndPoint = try members.readIfPresent("serverEndPoint", text)
        tlsServerCertificate = try members.readIfPresent("tlsServerCertificate", text)
        tlsUnique = try members.readIfPresent("tlsUnique", text)
        channelIDPublicKey = try members.readIfPresent("cid_pubkey") { value throws(JSONTypeError) in
            value == .string(Self.unusedChannelID) ? Self.unusedChannelID : try text(value)
        }
    }

    private typealias Reader = (JSONValue) throws(JSONTypeError) -> String

    package var json: JSONValue {
        .object([
            "serverEndPoint": serverEndPoint.map { .string($0) },
            "tlsServerCertificate": tlsServerCertificate.map { .string($0) },
            "tlsUnique": tlsUnique.map { .string($0) },
            "cid_pubkey": channelIDPublicKey.map { .string($0) },
        ])
    }
}

/// The public key of a TLS channel ID (`JwkKey`), a point on P-256.
///
/// FIDO UAF Protocol 1.1, 3.1.11. It is not checked that the point lies on the curve.
public struct ChannelIDKey: Hashable, Sendable {
    /// Length of a coordinate in bytes.
    public static let coordinateByteCount = 32

    /// First coordinate, big-endian.
    public let x: [UInt8]
    /// Second coordinate, big-endian.
    public let y: [UInt8]

    /// Takes two coordinates of 32 bytes; nil for other lengths.
    public init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else { return nil }
        self.x = x
        self.y = y
    }
}

extension ChannelIDKey: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        for (name, only) in [("kty", "EC"), ("crv", "P-256")] {
            let text = try members.required(name) { value throws(JSONTypeError) in try value.asString() }
            guard text.hasSameOctets(as: only) else { throw JSONTypeError(path: [name], .invalidForm) }
        }
        x = try members.required("x") { value throws(JSONTypeError) in
            try value.asOctets(byteCounts: Self.coordinateByteCount...Self.coordinateByteCount, rules: rules)
        }
        y = try members.required("y") { value throws(JSONTypeError) in
            try value.asOctets(byteCounts: Self.coordinateByteCount...Self.coordinateByteCount, rules: rules)
        }
    }

    package var json: JSONValue {
        .object([
            "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.encode(x)),
            "y": .string(Base64URL.encode(y)),
        ])
    }
}

extension ChannelBinding {
    /// The channel ID key when the client sent one.
    ///
    /// Nil when it sent none or says that the server does not use channel IDs. Throws ``MessageError`` when what it
    /// sent is no key.
    public func channelIDKey(rules: DecodingRules = .strict) throws(MessageError) -> ChannelIDKey? {
        guard let text = channelIDPublicKey, !text.hasSameOctets(as: Self.unusedChannelID) else { return nil }
        do throws(JSONTypeError) {
            let octets = try JSONValue.string(text).asOctets(byteCounts: 1..., rules: rules)
            guard let json = try? JSONParser.parse(octets) else { throw JSONTypeError(.invalidForm) }
            return try ChannelIDKey(json: json, rules: rules)
        } catch {
            throw MessageError(error.inside("cid_pubkey"))
        }
    }
}
