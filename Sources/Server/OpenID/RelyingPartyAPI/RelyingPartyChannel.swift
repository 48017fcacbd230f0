import StrictJSON

/// `channel`: the way to the user.
package enum RelyingPartyChannel: String, Sendable, Hashable, CaseIterable {
    /// A QR code and link, which a phone opens.
    case app
    /// A push to a phone.
    case push
    /// Ways of the closed cloud API that are not offered here.
    case sms, fido2, recovery

    /// Whether this server has the way; the others are refused (422 `channelNotOffered`).
    package var isOffered: Bool { self == .app || self == .push }

    init(_ value: JSONValue) throws(JSONTypeError) {
        guard let channel = Self(rawValue: try value.asString()) else { throw JSONTypeError(.outOfRange) }
        self = channel
    }
}
