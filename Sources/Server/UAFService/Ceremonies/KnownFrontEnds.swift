import RelyingParty
package import ServerCore
import Synchronization

/// Certificates of the TLS front ends of this server: the current ones and, for a while, their predecessors.
///
/// A phone states the certificate of the connection that its request came over, so a response may name one that was
/// replaced since. It stays known for the lifetime of a request and ``allowance``: a change of certificates refuses no
/// phone.
package final class KnownFrontEnds: Sendable {
    private struct State {
        var inUse: Set<TLSFrontEnd> = []
        /// Certificates that were replaced, with the time until which they stay known.
        var replaced: [TLSFrontEnd: Timestamp] = [:]
    }

    /// Time beyond the lifetime of a request for which a replaced certificate stays known.
    package static let allowance: Duration = .seconds(60)

    private let clock: any WallClock
    private let memory: Duration
    private let state = Mutex(State())

    /// Knows none yet; requests may be answered for `responseLifetime`.
    init(clock: any WallClock, responseLifetime: Duration) {
        self.clock = clock
        memory = responseLifetime + Self.allowance
    }

    /// Takes the certificates that are in use from now on, as texts in PEM form; of each the first one counts.
    ///
    /// Throws ``ServerError/invalidSetting(name:)``, and changes nothing, when a text holds no certificate.
    package func replace(with pemTexts: [[UInt8]]) throws(ServerError) {
        var fresh: Set<TLSFrontEnd> = []
        for text in pemTexts {
            guard let frontEnd = try? TLSFrontEnd(pemTexts: [text]) else {
                throw .invalidSetting(name: "channel-binding")
            }
            fresh.insert(frontEnd)
        }
        let now = clock.now()
        state.withLock { [fresh, memory] state in
            state.replaced = state.replaced.filter { now < $0.value && !fresh.contains($0.key) }
            for old in state.inUse.subtracting(fresh) { state.replaced[old] = now + memory }
            state.inUse = fresh
        }
    }

    var known: TLSFrontEnd? {
        let now = clock.now()
        let frontEnds = state.withLock { state in
            state.inUse.union(state.replaced.filter { now < $0.value }.keys)
        }
        return frontEnds.isEmpty ? nil : TLSFrontEnd(merging: frontEnds)
    }
}

extension VerificationSettings.ChannelBinding {
    /// The rule for responses at a server that knows the certificates of `frontEnd`; nil: it knows none.
    ///
    /// What is to be verified then is ignored, and what is required is refused.
    func rule(knowing frontEnd: TLSFrontEnd?) -> ChannelBindingRule {
        switch self {
        case .ignored: .ignored
        case .verified: frontEnd.map(ChannelBindingRule.verifiedWhenStated) ?? .ignored
        case .required: .required(frontEnd ?? TLSFrontEnd(merging: []))
        }
    }
}
