import MobileAuthentication
import Testing

// What an application's own tests put in place of the SDK: each implements what the closed SDK's protocol has, and no more.

final class FakeClient: MobileAuthenticationClient {
    let operations: any Operations
    let localData: any LocalData

    init(operations: any Operations, localData: any LocalData) {
        self.operations = operations
        self.localData = localData
    }
}

struct FakeServer: Server {
    let baseUrl: URL
}

struct FakeAccount: Account {
    let username: Username
    let site: FakeServer

    var server: any Server { site }
}

extension FakeAccount {
    init(_ username: String) throws {
        self.init(username: username, site: FakeServer(baseUrl: try #require(URL(string: "https://login.example"))))
    }
}

final class FakeAccountStore: LocalData, @unchecked Sendable {
    struct Refusal: Error {}

    var accounts: [any Account] = []
    var authenticators: [any Authenticator] = []
    var deviceInformation: DeviceInformation?
    var refusal: (any Error)?

    func deleteAuthenticator(username: Username, aaid: String?) throws {
        if let refusal { throw refusal }
        accounts.removeAll { $0.username == username }
    }
}

final class FakePinChange: PinChange, @unchecked Sendable {
    var name: String?
    var changer: (any PinChanger)?
    var success: (@MainActor () -> Void)?
    var failure: (@MainActor (PinChangeError) -> Void)?
    var outcome: PinChangeError?

    func username(_ username: String) -> Self {
        name = username
        return self
    }

    func pinChanger(_ pinChanger: any PinChanger) -> Self {
        changer = pinChanger
        return self
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self {
        success = handler
        return self
    }

    func onError(_ handler: @escaping @MainActor (PinChangeError) -> Void) -> Self {
        failure = handler
        return self
    }

    func execute() {
        Task { @MainActor in
            if let outcome { failure?(outcome) } else { success?() }
            // A fake that tells its end twice.
            success?()
        }
    }
}

final class FakeDeviceInformationCheck: DeviceInformationCheck, @unchecked Sendable {
    var handler: (@MainActor (DeviceInformationCheckResult) -> Void)?

    func requestHeaders(_ headers: [String: String]) -> Self { self }

    func onResult(_ handler: @escaping @MainActor (DeviceInformationCheckResult) -> Void) -> Self {
        self.handler = handler
        return self
    }

    func execute() {
        Task { @MainActor in handler?(DeviceInformationCheckResult(mismatches: [], errors: [])) }
    }
}

final class FakePinHandlers: PinEnrollmentHandler, PinChangeHandler, PinUserVerificationHandler, @unchecked Sendable {
    var given: [String] = []

    func pin(_ pin: String) { given.append(pin) }

    func pins(_ oldPin: String, _ newPin: String) { given += [oldPin, newPin] }

    func verify(_ pin: String) { given.append(pin) }

    func cancel() { given.removeAll() }
}

final class FakePasswordHandlers: PasswordEnrollmentHandler, PasswordChangeHandler, PasswordUserVerificationHandler,
    @unchecked Sendable
{
    var given: [String] = []

    func password(_ password: String) { given.append(password) }

    func passwords(_ oldPassword: String, _ newPassword: String) { given += [oldPassword, newPassword] }

    func verify(_ password: String) { given.append(password) }

    func cancel() { given.removeAll() }
}

struct FakePasswordEnroller: PasswordEnroller {
    func enrollPassword(context: PasswordEnrollmentContext, handler: PasswordEnrollmentHandler) {}
}
