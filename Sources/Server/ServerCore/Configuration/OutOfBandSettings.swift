import BackendAPI
package import UAF

/// Settings of ceremonies that begin on one screen and are answered on a phone.
package struct OutOfBandSettings: Sendable, Hashable {
    /// Authorization that a call of a service needs.
    package enum Protection: String, Sendable, Hashable, CaseIterable {
        /// An access key, or a token of the user it is about.
        case required
        /// Nothing: for networks where another system keeps strangers away.
        case none
    }

    package static let tokenLifetimes: ClosedRange<Duration> = .seconds(10) ... .seconds(600)

    /// Origin at which clients reach the service, such as `https://login.example.com`; requests of devices name it.
    package var origin: String
    package var tokenLifetimes: [OperationKind: Duration] = [
        .registration: .seconds(300), .authentication: .seconds(120), .deregistration: .seconds(120),
    ]
    /// Time for which the status of a ceremony that has ended can be asked for.
    package var retention: Duration = .seconds(300)
    package var limits = OperationLimits()
    package var linking = LinkingPolicy()
    /// Whether links and QR codes for a target are refused, too, when nothing can be sealed for it.
    package var requiresEncryption = false
    /// Authorization that a dispatch and a token without dispatch need; the list of a user's targets is never open.
    package var dispatchProtection = Protection.required
    /// Authorization that a status request needs beside the unguessable identifier of the ceremony.
    package var statusProtection = Protection.required
    /// Longest time that a question for the status waits for a change.
    package var statusWait: Duration = .seconds(30)
    /// Systems that may begin ceremonies for every user.
    package var accessKeys: [AccessKey] = []
    /// Whether access keys reach only the users whom they have enrolled (`relying-party-api.own-users`).
    package var hasOwnUsers = false
    /// Dispatch targets that a user may have at the same time.
    package var maximumTargetCount = 20
    /// Maximum age of a signed request of a device.
    package var requestAge: Duration = .seconds(300)
    /// Maximum lead of the clock of a device.
    package var clockLead: Duration = .seconds(120)
    /// Whether signed requests that read or change have to name this server and their method, as those that delete
    /// always have to.
    package var requiresAudience = true

    package init(origin: String) {
        self.origin = origin
    }
}

extension OutOfBandSettings {
    /// Throws ``ServerError/invalidSetting(name:)`` for the first value that the services cannot work with.
    package func requireSound() throws(ServerError) {
        guard tokenLifetimes.values.allSatisfy(Self.tokenLifetimes.contains) else {
            throw .invalidSetting(name: "token-lifetime")
        }
        guard origin.utf8.starts(with: "https://".utf8), origin.utf8.last != UInt8(ascii: "/") else {
            throw .invalidSetting(name: "origin")
        }
        guard ChannelLinkingDemand.lengths.contains(linking.digitCount), linking.allows(linking.push, forPush: true),
            linking.allows(linking.scan, forPush: false)
        else { throw .invalidSetting(name: "channel-linking") }
        guard limits.window > .zero, limits.pushes > 0, limits.wrongDigits > 0, limits.reports > 0,
            limits.backOff.firstWait >= .zero
        else {
            throw .invalidSetting(name: "limits")
        }
        guard Set(accessKeys.map(\.name)).count == accessKeys.count else {
            throw .invalidSetting(name: "access-keys")
        }
    }

    package func tokenLifetime(_ operation: OperationKind) -> Duration { tokenLifetimes[operation] ?? .seconds(120) }

    /// Whether a system with this access key may know of a user.
    package func reaches(_ user: User, _ key: AccessKeyName) -> Bool { !hasOwnUsers || user.owner == .accessKey(key) }
}
