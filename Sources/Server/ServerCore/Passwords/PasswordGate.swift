import UAF

/// Checks passwords one after the other.
///
/// Counting and checking are one step without suspension: of many tries at the same time no more than the limit are
/// ever heard, and good ones are not counted against each other. It also keeps the costly hashing to one core.
actor PasswordGate {
    private struct Source: Hashable, Sendable {
        let name: UserName
        let address: String?
    }

    private let clock: any WallClock
    private var bySource: FailureCounter<Source>
    private var byName: FailureCounter<UserName>

    init(settings: PasswordLoginSettings, clock: any WallClock) {
        self.clock = clock
        bySource = FailureCounter(limit: settings.failureLimit, window: settings.window)
        byName = FailureCounter(limit: settings.failureLimitPerName, window: settings.window)
    }

    /// Throws ``ServerError/throttled(retryAfter:)`` without looking at the password, or ``ServerError/unauthorized``.
    ///
    /// `known` says that `record` is a user's and no stand-in; a stand-in never matches.
    func requireMatch(
        _ password: [UInt8], _ record: PasswordRecord, known: Bool, name: UserName, address: String?
    ) throws(ServerError) {
        let source = Source(name: name, address: address)
        let now = clock.now()
        if let wait = bySource.wait(for: source, at: now) ?? byName.wait(for: name, at: now) {
            throw .throttled(retryAfter: wait)
        }
        do {
            try record.requireMatch(password)
            guard known else { throw ServerError.unauthorized }
        } catch {
            bySource.count(source, at: now)
            byName.count(name, at: now)
            throw .unauthorized
        }
        bySource.forget(source)
    }
}
