import CommandSupport
import MobileAuthentication
import UAFClient

extension Phone {
    func authenticate(_ name: String, as user: any DeviceUser) async throws -> SignedInSession {
        try await explaining { SignedInSession(provider: try await device.authenticate(name, user: user)) }
    }

    /// Registers an authenticator for a user, with the phone's name as device name.
    func register(_ name: String, _ parameters: RegistrationParameters, as user: any DeviceUser) async throws {
        var parameters = parameters
        parameters.deviceName = settings.name
        parameters.pushToken = try folder.subscription()?.token
        try await explaining { try await device.register(name, parameters, user: user) }
    }

    func change(_ kind: SecretKind, of name: String, as user: any DeviceUser) async throws {
        try await explaining {
            switch kind {
            case .pin: try await device.changePin(name, user: user)
            case .password: try await device.changePassword(name, user: user)
            }
        }
    }

    /// Removes the keys of a user from server and phone; without a credential the user authenticates first, because a
    /// password login does not authorize a deregistration.
    func deregister(
        _ name: String, _ aaid: String?, _ evidence: AuthorizationRight.Evidence?, as user: any DeviceUser
    ) async throws {
        var right = try await AuthorizationRight(evidence, user: name, on: self).provider
        if evidence == nil { right = try await authenticate(name, as: user).provider ?? right }
        try await device.deregister(name, aaid: aaid, authorization: right)
    }

    /// Runs an operation; a failed user verification is explained by the problem of this machine that caused it.
    func explaining<Value>(_ operation: () async throws -> Value) async throws -> Value {
        verification.forget()
        do {
            return try await operation()
        } catch {
            throw verification.explained(error)
        }
    }
}

extension Phone {
    /// Redeems the token of a payload and performs the operation that the server returns.
    ///
    /// `tokenFile` receives the token that the server issues for an authentication.
    func answer(
        _ payload: OutOfBandPayload, as person: PhoneUser, tokenFile: String? = nil
    ) async throws -> OperationReport {
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

    /// Operations that are pending for this phone at its servers, the newest first.
    func pendingOperations() async throws -> [PendingOutOfBandOperation] {
        let result = await client.operations.pendingOutOfBandOperations.perform()
        if result.operations.isEmpty, let error = result.errors.first { throw error }
        return result.operations
    }

    /// The pending operation with a number counted from 1; without a number the only one.
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
    ) async throws -> OperationReport {
        let before = Set(device.registrations)
        let information = DeviceInformation(name: settings.name, fcmRegistrationToken: try folder.subscription()?.token)
        try await explaining { try await device.run(registration, information, user: person) }
        let users = device.registrations.filter { !before.contains($0) }.map(\.username)
        // A key that replaces an older one of the same account leaves the list of registrations unchanged.
        return .registered(users.isEmpty ? [] : Array(Set(users)).sorted())
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        if let error = error as? OutOfBandOperationError { return error.isUserCancellation }
        return (error as? any MobileAuthenticationClientError)?.fidoErrorCode == .userCanceled
    }
}

struct SignedInSession {
    let provider: (any AuthorizationProvider)?

    /// Writes a token to a file readable by its owner only; returns the kind of session.
    func keep(in path: String?) throws(CommandFailure) -> String {
        switch provider {
        case let token as JwtAuthorizationProvider:
            if let path { try PrivateFile(path: path).write(token.jwt) }
            return "token"
        case is CookieAuthorizationProvider: return "cookie"
        default: return "no session"
        }
    }
}
