package import StrictJSON

extension ChannelBinding: JSONCoded {
    /// What a client says whose TLS library knows channel IDs while the server does not.
    package static let unusedChannelID = "unused"

    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
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
        .object(
            JSONObject([
                "serverEndPoint": serverEndPoint.map { .string($0) },
                "tlsServerCertificate": tlsServerCertificate.map { .string($0) },
                "tlsUnique": tlsUnique.map { .string($0) },
                "cid_pubkey": channelIDPublicKey.map { .string($0) },
            ]))
    }
}
