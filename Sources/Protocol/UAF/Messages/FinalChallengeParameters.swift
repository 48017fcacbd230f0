import Crypto
import Octets
package import StrictJSON

/// Final challenge parameters, to which the authenticator's signature binds the user's answer.
///
/// FIDO UAF Protocol 1.1, 3.1.9. The value keeps the base64url text in which it is sent (`fcParams`): the hash that the
/// authenticator signs is taken over that text, so it is never encoded a second time.
///
/// ```swift
/// let parameters = FinalChallengeParameters(appID: appID, challenge: challenge, facetID: facetID)
/// let text = parameters.encoded  // Member `fcParams` of the response.
/// let hash = parameters.hash  // SHA-256 of the text: the authenticator signs it.
/// ```
public struct FinalChallengeParameters: Hashable, Sendable {
    /// The application the answer is for.
    public let appID: AppID
    /// The challenge of the request.
    public let challenge: ServerChallenge
    /// The application that asked, as the client determined it.
    public let facetID: FacetID
    /// TLS channel binding data of the connection, as far as the client has them.
    public let channelBinding: ChannelBinding
    /// The server and the exchange, as far as a client of this package states them; nil for any other client.
    package let serverBinding: ServerBinding?
    /// The base64url text, as received or as first encoded.
    public let encoded: String

    private init(
        appID: AppID, challenge: ServerChallenge, facetID: FacetID, channelBinding: ChannelBinding,
        serverBinding: ServerBinding?, encoded: String
    ) {
        self.appID = appID
        self.challenge = challenge
        self.facetID = facetID
        self.channelBinding = channelBinding
        self.serverBinding = serverBinding
        self.encoded = encoded
    }
}

extension FinalChallengeParameters {
    /// SHA-256 of the base64url text, which is what the authenticator signs (FIDO UAF Protocol 1.1, 3.4.6.1).
    public var hash: [UInt8] { Self.hash(ofEncoded: encoded) }

    /// SHA-256 of a `fcParams` text as sent, whether or not it can be read.
    public static func hash(ofEncoded text: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}

extension FinalChallengeParameters {
    /// Makes the parameters of an answer.
    ///
    /// Members are written in the order appID, challenge, channelBinding, facetID, without spaces.
    public init(
        appID: AppID, challenge: ServerChallenge, facetID: FacetID, channelBinding: ChannelBinding = ChannelBinding()
    ) {
        self.init(
            appID: appID, challenge: challenge, facetID: facetID, channelBinding: channelBinding, serverBinding: nil)
    }

    /// Makes the parameters of an answer for one server, with the server binding as the last member.
    package init(
        appID: AppID, challenge: ServerChallenge, facetID: FacetID, channelBinding: ChannelBinding = ChannelBinding(),
        serverBinding: ServerBinding?
    ) {
        let members = JSONObject([
            "appID": appID.json, "challenge": challenge.json, "channelBinding": channelBinding.json,
            "facetID": facetID.json, "serverBinding": serverBinding?.json,
        ])
        self.init(
            appID: appID, challenge: challenge, facetID: facetID, channelBinding: channelBinding,
            serverBinding: serverBinding, encoded: Base64URL.encode(JSONWriter.write(.object(members))))
    }

    /// Reads `fcParams`, keeping the text as it is.
    ///
    /// Throws ``MessageError`` unless the four members of the standard are there and well formed, and so is the server
    /// binding where there is one.
    public init(encoded text: String, rules: DecodingRules = .strict) throws(MessageError) {
        do throws(JSONTypeError) {
            try self.init(json: .string(text), rules: rules)
        } catch {
            throw MessageError(error)
        }
    }
}

extension FinalChallengeParameters: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let text = try json.asNonEmptyString()
        let octets = try JSONValue.octets(of: text, byteCounts: 1..., rules: rules)
        guard let document = try? JSONParser.parse(octets) else { throw JSONTypeError(.invalidForm) }
        let members = try document.asObject()
        self.init(
            appID: try members.required("appID", rules: rules),
            challenge: try members.required("challenge", rules: rules),
            facetID: try members.required("facetID", rules: rules),
            channelBinding: try members.required("channelBinding", rules: rules),
            serverBinding: try members.optional("serverBinding", rules: rules), encoded: text)
    }

    package var json: JSONValue { .string(encoded) }
}
