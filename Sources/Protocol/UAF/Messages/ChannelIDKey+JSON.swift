import Octets
package import StrictJSON

extension ChannelIDKey: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
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
        .object(
            JSONObject([
                "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]))
    }
}

extension ChannelBinding {
    /// The channel ID key when the client sent one.
    ///
    /// Nil when it sent none or says that the server does not use channel IDs. Throws ``MessageError`` when what it sent
    /// is no key.
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
