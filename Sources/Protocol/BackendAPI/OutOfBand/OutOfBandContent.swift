import Octets
import StrictJSON

/// Content of an out-of-band payload.
public struct OutOfBandContent: MessageBody {
    /// The token to redeem; a secret until it is redeemed.
    public var token: String { sensitiveToken.reveal() }
    private let sensitiveToken: Sensitive<String>
    /// Absolute URL at which the token is redeemed.
    public let redeemURL: String
    /// Demanded channel linking; nil when nothing links the two screens.
    public let channelLinking: ChannelLinkingDemand?
    /// Attributes that the initiator added for the application.
    public let attributes: PayloadAttributes

    /// A token, where to redeem it, and what goes with it.
    public init(
        token: String, redeemURL: String, channelLinking: ChannelLinkingDemand? = nil,
        attributes: PayloadAttributes = .none
    ) {
        sensitiveToken = Sensitive(token)
        self.redeemURL = redeemURL
        self.channelLinking = channelLinking
        self.attributes = attributes
    }
}

extension OutOfBandContent: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            token: try members.required("token") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...256)
            },
            redeemURL: try members.required("redeem_url") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...2_048)
            },
            channelLinking: try members.optional("channel_linking", ChannelLinkingDemand.init(json:)),
            attributes: try PayloadAttributes(payload: members))
    }

    var json: JSONValue {
        var members: JSONObject = [
            "token": .string(token), "redeem_url": .string(redeemURL), "channel_linking": channelLinking?.json,
        ]
        for member in attributes.payloadMembers { members.append(member.name, member.value) }
        return .object(members)
    }
}
