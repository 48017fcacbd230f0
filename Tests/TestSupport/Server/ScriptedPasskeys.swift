package import BackendAPI
package import Octets
package import OpenID
package import ServerCore
package import StrictJSON
import Synchronization

/// Passkeys that answer as a test says, and keep what they are asked.
package final class ScriptedPasskeys: PasskeyService {
    package struct Script: Sendable {
        package var passkeys: [Passkey] = []
        package var signIn = PasskeySignIn.refused(.unusable)
        package var change = PasskeyChange.done
        package var isFresh = true
    }

    private let state = Mutex((script: Script(), calls: [String]()))

    package init() {}

    /// What was asked, as `kind value`.
    package var calls: [String] { state.withLock(\.calls) }

    package func become(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }

    package func signInOptions(
        of session: OpenSignIn, username: String?
    ) async throws(ServerError) -> JSONObject {
        _ = note("options", username ?? "-")
        return ["challenge": .string("c"), "name": username.map { .string($0) }]
    }

    package func signIn(
        _ session: OpenSignIn, with answer: Sensitive<[UInt8]>, client: ClientContext
    ) async throws(ServerError) -> PasskeySignIn {
        note("sign-in", String(decoding: answer.reveal(), as: UTF8.self)).signIn
    }

    package func passkeys(of user: UserID) async throws(ServerError) -> [Passkey] { state.withLock(\.script.passkeys) }

    package func registrationOptions(of session: BrowserSession) async throws(ServerError) -> JSONObject? {
        note("options", "new").isFresh ? ["challenge": .string("c")] : nil
    }

    package func register(
        _ answer: Sensitive<[UInt8]>, named name: DeviceName, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange { note("register", name.text).change }

    package func rename(
        _ passkey: RegistrationID, to name: DeviceName, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange { note("rename", name.text).change }

    package func remove(
        _ passkey: RegistrationID, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange { note("remove", passkey.text).change }

    private func note(_ kind: String, _ value: String) -> Script {
        state.withLock { state in
            state.calls.append("\(kind) \(value)")
            return state.script
        }
    }
}
