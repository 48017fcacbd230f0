import BackendAPI
import BackendTransport
import Foundation
import JOSE
import Octets
import UAFClient

/// Device services of a server: requests that the device signs with its key, without a user.
struct DeviceExchange: Sendable {
    let environment: ClientEnvironment
    private let applicationFields: [HeaderFields.Field]

    init(_ environment: ClientEnvironment, headers: [String: String]) {
        self.environment = environment
        applicationFields = ApplicationFields.fields(headers)
    }

    // MARK: - Services

    func credentials(of deviceID: DeviceID, _ signer: DeviceSnapshot.Target) async -> DeviceAnswer<DeviceCredentials> {
        let resource = resource(devices: "credentials", deviceID, at: signer.server)
        return await read(.deviceCredentials, resource, signer) { (body: DeviceCredentials, request) in
            body.requestID == request && body.deviceID == deviceID
        }
    }

    func pendingOperations(
        of deviceID: DeviceID, _ signer: DeviceSnapshot.Target
    ) async -> DeviceAnswer<PendingOperations> {
        let resource = resource(devices: "oob-operations", deviceID, at: signer.server)
        return await read(.pendingOperations, resource, signer) { (body: PendingOperations, request) in
            body.requestID == request
        }
    }

    func remove(
        _ removal: DeviceRemoval, from deviceID: DeviceID, _ signer: DeviceSnapshot.Target
    ) async -> DeviceAnswer<Void> {
        let resource = resource(devices: "credentials", deviceID, at: signer.server)
        let answer = await write(.changeDevice, resource, signer) { claims in
            DeviceChange(claims, removing: removal.credentials, targetIDs: removal.targetIDs)
        }
        await forgetDeparted(after: answer, to: removal, signer)
        return answer
    }

    /// Forgets the deleted accounts that the server has nothing left of by its answer.
    private func forgetDeparted(
        after answer: DeviceAnswer<Void>, to removal: DeviceRemoval, _ signer: DeviceSnapshot.Target
    ) async {
        guard let departed = try? await environment.store.snapshot().departed else { return }
        let gone = departed.map(\.target).filter { target in
            guard target.server == signer.server else { return false }
            switch answer {
            case .done: return removal.includes(target)
            case .refused(.notAccepted): return target == signer
            case .refused: return false
            }
        }
        guard !gone.isEmpty else { return }
        try? await environment.store.forgetDeparted(gone.map(\.identifier), at: signer.server)
        await environment.store.destroyForgottenKeys()
    }

    func change(_ target: DeviceSnapshot.Target, _ change: DispatchTargetUpdate) async -> DeviceAnswer<Void> {
        let resource = resource(
            environment.configuration.dispatchTargetResourcePath, [target.identifier], at: target.server)
        return await write(.changeDispatchTarget, resource, target) { claims in
            DispatchTargetChange(
                claims, name: change.name, destination: change.destination,
                dispatcher: change.destination.flatMap { destination in
                    if case .token = destination { .firebaseCloudMessaging } else { nil }
                })
        }
    }

    // MARK: - Forms of requests

    /// Request without a body: the signature is sent in a header field, the response is encrypted to this device.
    private func read<Body: MessageBody & SendableMetatype>(
        _ endpoint: Endpoint, _ resource: BackendResource, _ signer: DeviceSnapshot.Target,
        _ isAnswer: (Body, String) -> Bool
    ) async -> DeviceAnswer<Body> {
        do throws(DeviceRefusal) {
            let signature = DeviceSignature(environment: environment, server: signer.server)
            let response: BackendResponse
            let requestID: String
            do throws(CeremonyFailure) {
                let claims = signature.claims(of: signer.identifier, for: endpoint.method, at: try resource.audience())
                requestID = claims.requestID
                let token = try await signature.sign(DeviceRequest(claims), keyID: signer.identifier)
                response = try await send(
                    endpoint, to: resource, [HeaderFields.Field(Endpoint.deviceSignatureField, token)], [])
            } catch {
                throw .failed(error)
            }
            try DeviceRefusal.check(response, now: environment.civilClock.secondsSince1970)
            let body: Body = try await opened(response, signer.server)
            guard isAnswer(body, requestID) else { throw .failed(.network(URLError(.badServerResponse))) }
            return .done(body)
        } catch {
            return .refused(error)
        }
    }

    private func opened<Body: MessageBody & SendableMetatype>(
        _ response: BackendResponse, _ server: ServerAddress
    ) async throws(DeviceRefusal) -> Body {
        guard let text = String(validUTF8: response.body),
            let token = try? CompactJWE(parsing: text)
        else { throw .failed(.network(URLError(.cannotParseResponse))) }
        do throws(CeremonyFailure) {
            let plaintext = try await DeviceMessageOpener(store: environment.store).open(token, withKeysFor: [server])
                .plaintext
            guard let body = try? Body(body: plaintext) else { throw .network(URLError(.cannotParseResponse)) }
            return body
        } catch {
            throw .failed(error)
        }
    }

    /// Request whose body is the signed payload.
    private func write(
        _ endpoint: Endpoint, _ resource: BackendResource, _ signer: DeviceSnapshot.Target,
        _ payload: (DeviceClaims) -> some MessageBody
    ) async -> DeviceAnswer<Void> {
        do throws(DeviceRefusal) {
            let signature = DeviceSignature(environment: environment, server: signer.server)
            let response: BackendResponse
            do throws(CeremonyFailure) {
                let claims = signature.claims(of: signer.identifier, for: endpoint.method, at: try resource.audience())
                let token = try await signature.sign(payload(claims), keyID: signer.identifier)
                response = try await send(endpoint, to: resource, [], Array(token.utf8))
            } catch {
                throw .failed(error)
            }
            try DeviceRefusal.check(response, now: environment.civilClock.secondsSince1970)
            return .done(())
        } catch {
            return .refused(error)
        }
    }

    private func resource(devices service: String, _ deviceID: DeviceID, at server: ServerAddress) -> BackendResource {
        resource(environment.configuration.deviceResourcePath, [service, deviceID.text], at: server)
    }

    private func resource(
        _ base: String, _ components: [String], at server: ServerAddress
    ) -> BackendResource {
        let root = base.hasSuffix("/") ? base : base + "/"
        return BackendResource(server: server, path: root + components.map(PathComponent.encode).joined(separator: "/"))
    }

    private func send(
        _ endpoint: Endpoint, to resource: BackendResource, _ extra: [HeaderFields.Field], _ body: [UInt8]
    ) async throws(CeremonyFailure) -> BackendResponse {
        let jose = "application/jose;charset=UTF-8"
        var fields = HeaderFields(applicationFields)
        fields.append("Accept", endpoint.responseTypes.first == .jose ? jose : "application/json")
        if !body.isEmpty { fields.append("Content-Type", jose) }
        fields.append("User-Agent", environment.userAgent)
        for field in extra { fields.append(field.name, field.value) }
        guard let method = BackendRequest.Method(rawValue: endpoint.method.rawValue) else {
            throw .network(URLError(.unsupportedURL))
        }
        do {
            let request = BackendRequest(
                method, try resource.url().absoluteString, headers: fields, body: body,
                responseByteLimit: 256 << 10,
                timeout: Duration(bounded: environment.configuration.networkTimeoutInSeconds))
            return try await environment.transport.response(to: request)
        } catch let error as BackendTransportError {
            throw .unreachable(error.forApplication)
        } catch {
            throw .unreachable(error)
        }
    }
}
