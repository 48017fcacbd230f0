import Octets
import StrictJSON

/// Request of a phone to redeem a token.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct RedeemRequest: MessageBody {
    /// The token, as the payload spelled it.
    public var token: String { sensitiveToken.reveal() }
    private let sensitiveToken: Sensitive<String>

    /// Redeems a token.
    public init(token: String) { sensitiveToken = Sensitive(token) }
}

extension RedeemRequest: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        self.init(
            token: try json.asObject().required("token") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...256)
            })
    }

    var json: JSONValue { .object(["token": .string(token)]) }
}
