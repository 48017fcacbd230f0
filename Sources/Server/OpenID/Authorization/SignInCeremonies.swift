import ServerCore

/// The ceremonies that a sign-in page follows: the one whose code it shows, and the one of the code before.
///
/// A phone that has scanned the code before has it on its screen, so that one counts as soon as the phone has taken it.
struct SignInCeremonies: Sendable {
    private let session: AuthorizationSession
    private let initiator: Initiator
    private let confirmations: any ConfirmationService

    init(of entry: OpenSignIn, confirmations: any ConfirmationService) {
        session = entry.session
        initiator = .client(entry.client.id)
        self.confirmations = confirmations
    }

    /// The ceremony that counts and its state: at once, or when either has another than `known`, after at most `wait`.
    ///
    /// Nil when the page has begun none, and after its end. Throws ``ServerError/storageUnavailable``.
    func state(
        unlike known: ConfirmationState? = nil, atMost wait: Duration = .zero
    ) async throws(ServerError) -> (id: CeremonyID, state: ConfirmationState)? {
        guard let id = session.stage.ceremony else { return nil }
        guard let previous = session.stage.previous else {
            return (id, try await state(of: id, unlike: known, atMost: wait))
        }
        let earlier = try await state(of: previous)
        switch earlier {
        case .shown, .confirmed, .denied:
            let current = try await state(of: id)
            return current.isTaken ? (id, current) : (previous, earlier)
        case .waiting where known != nil && wait > .zero:
            return try await first(of: id, unlike: known, or: previous, atMost: wait)
        case .waiting, .expired, .unknown:
            return (id, try await state(of: id, unlike: known, atMost: wait))
        }
    }

    /// Waits for both at once; the one that moves first ends the wait.
    private func first(
        of id: CeremonyID, unlike known: ConfirmationState?, or previous: CeremonyID, atMost wait: Duration
    ) async throws(ServerError) -> (id: CeremonyID, state: ConfirmationState) {
        let states = await withTaskGroup(of: (CeremonyID, Result<ConfirmationState, ServerError>).self) { group in
            for (ceremony, passing) in [(id, known), (previous, .waiting)] {
                group.addTask { (ceremony, await result(of: ceremony, unlike: passing, atMost: wait)) }
            }
            var states: [CeremonyID: Result<ConfirmationState, ServerError>] = [:]
            for await (ceremony, state) in group {
                states[ceremony] = state
                group.cancelAll()
            }
            return states
        }
        let current = try states[id]?.get() ?? .unknown
        let earlier = try states[previous]?.get() ?? .unknown
        return current.isTaken || !earlier.isTaken ? (id, current) : (previous, earlier)
    }

    private func result(
        of id: CeremonyID, unlike known: ConfirmationState?, atMost wait: Duration
    ) async -> Result<ConfirmationState, ServerError> {
        do throws(ServerError) {
            return .success(try await state(of: id, unlike: known, atMost: wait))
        } catch {
            return .failure(error)
        }
    }

    private func state(
        of id: CeremonyID, unlike known: ConfirmationState? = nil, atMost wait: Duration = .zero
    ) async throws(ServerError) -> ConfirmationState {
        try await confirmations.state(
            of: id, for: initiator, unlike: known, atMost: wait, pretendedUntil: decoy(id)?.expiresAt)
    }

    /// The push to a user who does not exist that has this identifier.
    private func decoy(_ id: CeremonyID) -> SignInDecoy? {
        guard case .confirming = session.stage, let decoy = SignInDecoy(id) else { return nil }
        return decoy.isPlausible(in: session) ? decoy : nil
    }
}

extension ConfirmationState {
    fileprivate var isTaken: Bool {
        switch self {
        case .shown, .confirmed, .denied: true
        case .waiting, .expired, .unknown: false
        }
    }
}
