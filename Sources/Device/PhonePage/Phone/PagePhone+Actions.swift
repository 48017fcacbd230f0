import MobileAuthentication
package import Octets
import StrictJSON

extension PagePhone: PhonePageService {
    package func state(unlike known: UInt64?) async -> PhonePageState {
        await change(from: known)
        return PhonePageState(revision: revision, body: JSONWriter.write(json))
    }

    package func perform(
        _ action: PhonePageAction, answering question: UInt64?
    ) async throws(PhonePageRefusal) {
        guard !isLost else { throw .notNow }
        switch action {
        case .open(let text): try open(text)
        case .scan(let picture): try open(try QRUpload.text(in: picture))
        case .accept: try accept(question)
        case .decline(let isReported): try decline(question, isReported)
        case .choose(let number): try choose(number, question)
        case .digits(let digits):
            guard try take(question).give(digits: digits) else { throw .notNow }
            answered()
        case .fetchPending: try fetchPending()
        case .settings(let setting): try await change(setting)
        }
    }

    package func provide(
        _ secret: consuming SecretOctets, answering question: UInt64
    ) async throws(PhonePageRefusal) {
        guard !isLost else { throw .notNow }
        guard (1...1_024).contains(secret.count) else { throw .malformed }
        let asked = try take(question)
        let typed = secret.withUnsafeBytes { SecretBytes(copying: $0) }
        switch asked.give(typed, at: .now) {
        case .given: answered()
        case .needsNew: keep(old: typed, of: asked)
        case .notNow: throw .notNow
        }
    }

    // MARK: - Answers

    private func accept(_ number: UInt64?) throws(PhonePageRefusal) {
        let asked = try take(number)
        if asked.needsConsent { return consent(to: asked) }
        guard asked.agree() else { throw .notNow }
        answered()
    }

    /// Declines the question, or takes back the operation while it asks nothing.
    private func decline(_ number: UInt64?, _ isReported: Bool) throws(PhonePageRefusal) {
        if accountChoice != nil {
            accountChoice = nil
            return changed()
        }
        if number == nil, question == nil, isBusy { return cancel() }
        decline(try take(number), isReported: isReported)
    }

    private func choose(_ choice: Int, _ number: UInt64?) throws(PhonePageRefusal) {
        if let accounts = accountChoice {
            guard accounts.names.indices.contains(choice) else { throw .malformed }
            return try changeSecret(of: accounts.names[choice], isPassword: accounts.isAboutPassword)
        }
        guard number != nil || isBusy else {
            guard pending.indices.contains(choice) else { throw .malformed }
            return try run(pending.remove(at: choice).payload)
        }
        let asked = try take(number)
        guard !asked.needsConsent else { throw .notNow }
        guard asked.choose(choice) else { throw .malformed }
        answered()
    }

    // MARK: - Operations

    private func open(_ text: String) throws(PhonePageRefusal) {
        guard text.utf8.count <= PhonePageAction.linkLimit else { throw .tooLarge }
        guard !isBusy else { throw .notNow }
        guard let payload = try? ports.payload(of: text) else { throw .malformed }
        try run(payload)
    }

    /// Redeems a payload and carries out what the server has begun.
    private func run(_ payload: OutOfBandPayload) throws(PhonePageRefusal) {
        let (client, ports) = (client, ports)
        try begin { questions in
            let operation = client.operations.outOfBandOperation.payload(payload).interactions(questions)
            switch try await operation.perform() {
            case .registration(let registration):
                let before = client.localData.accounts.map(\.username)
                let information = DeviceInformation(
                    name: ports.name, fcmRegistrationToken: ports.pushToken?.reveal())
                try await registration.deviceInformation(information).interactions(questions).perform()
                let names = client.localData.accounts.map(\.username)
                return PhonePageNotice(.registered, names: names.filter { !before.contains($0) })
            case .authentication(let authentication):
                _ = try await authentication.interactions(questions).perform()
                return PhonePageNotice(.confirmed)
            case .deregistration: return PhonePageNotice(.deregistered)
            }
        }
    }

    /// Asks the servers what is pending; push messages that were not opened stay in the list.
    private func fetchPending() throws(PhonePageRefusal) {
        let client = client
        try begin { [weak self] _ in
            let result = await client.operations.pendingOutOfBandOperations.perform()
            if result.operations.isEmpty, let error = result.errors.first { throw error }
            await self?.list(result.operations)
            return PhonePageNotice(.ended)
        }
    }

    private func list(_ operations: [PendingOutOfBandOperation]) {
        pending = pending.filter { $0.beganAt == nil } + operations.map { PhonePagePending($0) }
    }
}
