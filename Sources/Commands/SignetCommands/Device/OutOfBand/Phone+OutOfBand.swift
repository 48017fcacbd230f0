import MobileAuthentication
import VirtualDevice

extension Phone {
    /// Redeems a payload and does what the server has begun.
    ///
    /// `tokenFile` takes the token that the server issues for an authentication.
    func answer(
        _ payload: OutOfBandPayload, as person: PhoneUser, tokenFile: String? = nil
    ) async throws -> OperationEnding {
        do {
            return try await person.explaining {
                let operation = client.operations.outOfBandOperation.payload(payload).deregistrationConfirmer(person)
                return switch try await operation.perform() {
                case .registration(let registration): try await register(registration, as: person)
                case .authentication(let authentication):
                    .signedIn(
                        try await explaining {
                            SignedInSession(provider: try await device.run(authentication, user: person))
                        }.keep(in: tokenFile))
                case .deregistration: .deregistered
                }
            }
        } catch {
            guard let denial = await person.denial, Self.isCancellation(error) else { throw error }
            return .denied(isReported: denial == .report)
        }
    }

    /// What waits for this phone at its servers, the newest first.
    func pendingOperations() async throws -> [PendingOutOfBandOperation] {
        let result = await client.operations.pendingOutOfBandOperations.perform()
        if result.operations.isEmpty, let error = result.errors.first { throw error }
        return result.operations
    }

    /// What waits, counted from 1; without a number the only one.
    func pendingOperation(number: Int?) async throws -> PendingOutOfBandOperation {
        let waiting = try await pendingOperations()
        guard let newest = waiting.first else {
            throw CommandFailure.refused("NothingPending", "nothing waits for this phone")
        }
        guard let number else {
            guard waiting.count == 1 else {
                throw CommandFailure.local(
                    "SeveralPending",
                    "\(waiting.count) operations wait: signet device pending lists them, --number chooses")
            }
            return newest
        }
        guard waiting.indices.contains(number - 1) else {
            throw CommandFailure.local("NothingPending", "there is no operation number \(number)")
        }
        return waiting[number - 1]
    }

    private func register(
        _ registration: any OutOfBandRegistration, as person: PhoneUser
    ) async throws -> OperationEnding {
        let before = Set(device.registrations)
        let information = DeviceInformation(name: settings.name, fcmRegistrationToken: try folder.subscription()?.token)
        try await explaining { try await device.run(registration, information, user: person) }
        let users = device.registrations.filter { !before.contains($0) }.map(\.username)
        // A key that replaces an older one of the same account changes nothing that can be seen.
        return .registered(users.isEmpty ? [] : Array(Set(users)).sorted())
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        if let error = error as? OutOfBandOperationError { return error.isUserCancellation }
        return (error as? any MobileAuthenticationClientError)?.fidoErrorCode == .userCanceled
    }
}
