package import BackendAPI
package import UAF

extension OutOfBandSettings {
    /// Throws ``ServerError/invalidSetting(name:)`` for the first value that the services cannot work with.
    package func requireSound() throws(ServerError) {
        guard tokenLifetimes.values.allSatisfy(Self.tokenLifetimes.contains) else {
            throw .invalidSetting(name: "token-lifetime")
        }
        guard origin.utf8.starts(with: "https://".utf8), origin.utf8.last != UInt8(ascii: "/") else {
            throw .invalidSetting(name: "origin")
        }
        guard ChannelLinkingDemand.lengths.contains(linking.digitCount), linking.allows(linking.push),
            linking.allows(linking.scan)
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

    /// How long a token for this operation may be redeemed.
    package func tokenLifetime(_ operation: Operation) -> Duration { tokenLifetimes[operation] ?? .seconds(120) }

    /// Where a phone redeems a token for this operation that the dispatcher has brought.
    package func redeemURL(_ operation: Operation, by dispatcher: DispatcherName) -> String {
        (redeemAddresses[dispatcher] ?? RedeemAddresses()).address(for: operation, origin: origin)
    }
}
