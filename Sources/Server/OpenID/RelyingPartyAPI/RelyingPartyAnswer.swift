package import ServerCore
import StrictJSON
package import UAF

/// User that a request names.
package enum RelyingPartySubject: Sendable, Hashable {
    /// `username`: 1 to 128 characters.
    case name(UserName)
    /// `userId`: the external ID.
    case id(UserName)
}

extension RelyingPartySubject {
    /// Reads a body that names a user and nothing else; throws ``RelyingPartyRefusal/malformed(member:)``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        self = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> RelyingPartySubject in
            guard let subject = try RelyingPartyBody.subject(members) else {
                throw JSONTypeError(path: ["username"], .missing)
            }
            return subject
        }
    }
}

/// Answer of the API.
package struct RelyingPartyAnswer: Sendable {
    /// 200 or 201.
    package let status: Int
    /// JSON of at most 64 KiB; it may hold a redeem token and is never logged.
    package let body: [UInt8]

    package init(status: Int = 200, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Refusal of the API; answered with the error body of the backend.
package enum RelyingPartyRefusal: Error, Sendable, Hashable {
    /// The member at this path is missing or wrong (400 `malformedRequest`).
    case malformed(member: [String])
    /// No user (404 `userNotFound`).
    case userUnknown
    /// No authenticator (404 `dispatchTargetNotFound`).
    case authenticatorUnknown
    /// No authenticator of the user can do it (422 `noSuitableAuthenticator`).
    case noSuitableAuthenticator
    /// The channel is not offered here (422 `channelNotOffered`).
    case channelNotOffered
    /// The intent token is for another user or channel (403 `forbidden`).
    case outsideIntent
    /// The intent token was used before, or the logins of its user have ended (401 `unauthorized`).
    case intentEnded
    /// The idempotency key came with another request before (422 `idempotencyKeyReused`).
    case keyReused
    /// The first request with this idempotency key is still being answered (409 `requestInProgress`).
    case requestInProgress
    case server(ServerError)
}
