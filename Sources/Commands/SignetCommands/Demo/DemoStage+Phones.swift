import ArgumentParser
import BackendTransport
import Foundation

/// What phones do on the stage.
extension DemoStage {
    /// Makes a user's phone and registers it.
    func register(_ user: String) async throws -> CommandOutcome {
        try await makePhone(of: user).run(
            "register",
            [
                "--user", user, "--pin-file", pinFile.path(), "--password-file", server.passwordFile(of: user).path(),
            ],
            record: recording("registered-\(user)"))
    }

    /// Signs a user in.
    func authenticate(
        _ phone: PhoneProcess, _ user: String, pinFile: URL? = nil, step: String
    ) async throws -> CommandOutcome {
        try await phone.run(
            "authenticate", ["--user", user, "--pin-file", (pinFile ?? self.pinFile).path()], record: recording(step))
    }

    /// Signs a user in over a hostile network; returns the UAF status the server answered with.
    func attack<Carrier: HostileCarrier>(
        _ user: String, step: String, over network: (any HTTPTransport) -> Carrier
    ) async throws -> Int? {
        var exchange = try ExchangeOptions.parse(["--user", user])
        exchange.network.record = recording(step).path()
        var hostile: Carrier?
        let carrier = { (transport: any HTTPTransport) -> any HTTPTransport in
            let carrier = network(transport)
            hostile = carrier
            return carrier
        }
        let folder = PhoneFolder(path: phone(of: user).folder.path())
        let owner = await PhoneUser(secretFile: pinFile.path())
        do {
            _ = try await Phone.use(folder, exchange.network, carrier: carrier) { phone in
                try await owner.explaining { try await phone.authenticate(user, as: owner) }
            }
        } catch {
            // The phone is refused, as it should be; the status tells why.
            guard hostile?.lastStatus != nil else { throw error }
        }
        return hostile?.lastStatus
    }
}
