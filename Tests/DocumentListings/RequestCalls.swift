// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import UAF

/// What a listing has done with requests of UAF, in the order of their operations.
public struct RequestCalls: Hashable, Sendable {
    public var users: [UserName] = []
    public var challenges: [ServerChallenge] = []
    public var forgotten: [CredentialID] = []
}
