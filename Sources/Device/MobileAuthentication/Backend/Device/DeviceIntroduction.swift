import BackendAPI
import UAF
import UAFClient

/// Creation of a dispatch target at a server that accepted a registration without one: its registration service does
/// not know the extension for devices.
struct DeviceIntroduction: Sendable {
    private let environment: ClientEnvironment
    private let server: ServerAddress

    init(_ environment: ClientEnvironment, at server: ServerAddress) {
        self.environment = environment
        self.server = server
    }

    /// Creates the dispatch target, unless the server has one for the user, and stores its identifier.
    ///
    /// The registration is complete by then and stays, whatever the server answers; without a record only what is sent
    /// to this device by name is missing, and the next registration of the user tries again.
    func carryOut(for username: UserName, _ exchange: BackendExchange) async {
        do throws(CeremonyFailure) {
            let targets = try await environment.store.snapshot().targets(at: server)
            guard !targets.contains(where: { $0.username == username }) else { return }
            let device = try await environment.store.prepareDevice(for: server, nil)
            let target = try NewDispatchTarget(device.information, try DeviceKeySet(device.keys))
            let statement = DispatchTargetCreationProof(
                of: target, username: username, audience: try resource.audience())
            let proof = try await DeviceSignature(environment: environment, server: server).sign(statement, keyID: nil)
            let identifier = try await exchange.createTarget(
                DispatchTargetCreation(target, username: username, proof: proof), at: resource)
            let link = DeviceRecord.Link(identifier: identifier, username: username.text)
            try await environment.store.change([.remember(link)])
        } catch {
            environment.logger.log(
                .notice, .operation, "The server keeps no record of this device for the user.",
                [.open("server", server.url.host() ?? "")])
        }
    }

    private var resource: BackendResource {
        BackendResource(server: server, path: environment.configuration.dispatchTargetResourcePath)
    }
}
