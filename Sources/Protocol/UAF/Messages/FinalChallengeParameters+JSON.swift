import Octets
package import StrictJSON

extension FinalChallengeParameters {
    /// Makes the parameters of an answer.
    ///
    /// Members are written in the order appID, challenge, channelBinding, facetID, without spaces.
    public init(
        appID: AppID, challenge: ServerChallenge, facetID: FacetID, channelBinding: ChannelBinding = ChannelBinding()
    ) {
        let members = JSONObject([
            "appID": appID.json, "challenge": challenge.json, "channelBinding": channelBinding.json,
            "facetID": facetID.json,
        ])
        self.init(
            appID: appID, challenge: challenge, facetID: facetID, channelBinding: channelBinding,
            encoded: Base64URL.encode(JSONWriter.write(.object(members))))
    }

    /// Reads `fcParams`, keeping the text as it is.
    ///
    /// Throws ``MessageError`` unless all four members are there and well formed.
    public init(encoded text: String, rules: DecodingRules = .strict) throws(MessageError) {
        do throws(JSONTypeError) {
            try self.init(json: .string(text), rules: rules)
        } catch {
            throw MessageError(error)
        }
    }
}

extension FinalChallengeParameters: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let octets = try json.asOctets(byteCounts: 1..., rules: rules)
        guard let document = try? JSONParser.parse(octets) else { throw JSONTypeError(.invalidForm) }
        let members = try document.asObject()
        self.init(
            appID: try members.required("appID", rules: rules),
            challenge: try members.required("challenge", rules: rules),
            facetID: try members.required("facetID", rules: rules),
            channelBinding: try members.required("channelBinding", rules: rules),
            encoded: try json.asString())
    }

    package var json: JSONValue { .string(encoded) }
}
