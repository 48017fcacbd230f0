package import BackendAPI
import BackendTransport
package import JOSE
package import UAF

/// Records of devices, with keys that verify signatures, as a real server has them.
package struct ScriptedDevices: Sendable {
    /// A record of a device for one user.
    package struct Record: Sendable {
        package let id: String
        package let username: String
        package let deviceID: String
        package var name: String
        package var destination: PushDestination?
        package let signatureKey: JWK
        package let encryptionKey: JWK
        package var credentials: [CredentialID]
    }

    /// Refusal of a request.
    struct Refused: Error {
        let response: BackendResponse

        init(_ status: Int, _ code: ErrorCode, date: String? = nil) {
            let body = ErrorBody(timestamp: 0, status: status, code: code).body
            let headers: HeaderFields = date.map { [HeaderFields.Field("Date", $0)] } ?? []
            response = BackendResponse(status: status, headers: headers, body: body)
        }
    }

    /// Whether the server knows devices at all.
    package var isSupported = true
    /// Whether a device can be introduced together with a registration.
    package var takesProposals = true
    /// Authorization that a request for a record has to bring; nil takes every request.
    package var requiredAuthorization: String?
    package var records: [Record] = []
    package var pending: [PendingOperations.Entry] = []
    /// Identifiers of requests, to tell replays.
    package var requestIDs: [String] = []
    /// The clock of the server, in milliseconds since 1970; nil does not look at times.
    package var now: Int64?
    /// Names of other devices of the user.
    package var takenNames: [String] = []
    /// Proofs whose form or signature was not as it must be.
    package var badProofs = 0
    private var nextID = 1

    // MARK: - Registration

    mutating func take(
        _ proposal: DispatchTargetProposal?, with response: RegistrationResponse, for username: String,
        _ credential: CredentialID
    ) -> Result<CreatedDispatchTarget?, Refused> {
        guard isSupported, takesProposals, let proposal else { return .success(nil) }
        do throws(Refused) {
            let id = try accept(proposal, hash: response.finalChallenge.hash, username, credential)
            return .success(CreatedDispatchTarget(id: id, externalID: "x-" + id))
        } catch {
            badProofs += 1
            return .failure(error)
        }
    }

    private mutating func accept(
        _ proposal: DispatchTargetProposal, hash: [UInt8], _ username: String, _ credential: CredentialID
    ) throws(Refused) -> String {
        let audience = ScriptedBackend.address + "/uaf/1.1/registration"
        switch proposal {
        case .new(let target, let text):
            let proof: DispatchTargetProof = try verified(text, by: target.signatureKey)
            guard proof.statement == DispatchTargetProof.Statement(of: target), proof.challengeHash == hash,
                proof.audience == audience, let encryptionKey = target.encryptionKey, let deviceID = target.deviceID
            else { throw Refused(400, .signatureInvalid) }
            let id = "target-\(nextID)"
            nextID += 1
            records.append(
                Record(
                    id: id, username: username, deviceID: deviceID.text, name: target.name.text,
                    destination: target.destination, signatureKey: target.signatureKey, encryptionKey: encryptionKey,
                    credentials: [credential]))
            return id
        case .existing(let deviceID, let text):
            guard
                let index = records.firstIndex(where: { $0.deviceID == deviceID.text && $0.username == username })
            else { throw Refused(401, .signatureInvalid) }
            let proof: DispatchTargetProof = try verified(text, by: records[index].signatureKey)
            guard let claims = proof.claims, proof.challengeHash == hash else { throw Refused(401, .signatureInvalid) }
            try check(claims, .post, audience)
            records[index].credentials.append(credential)
            return records[index].id
        }
    }

    // MARK: - Signed requests

    mutating func response(to request: BackendRequest, at path: String, keys: [CredentialID]) -> BackendResponse {
        guard isSupported else { return BackendResponse(status: 404) }
        do throws(Refused) {
            let parts = path.split(separator: "/").map(String.init)
            guard let last = parts.last.flatMap(PathComponent.decode) else { return BackendResponse(status: 404) }
            switch (request.method, Array(parts.dropLast())) {
            case (.post, ["token", "dispatch"]) where last == "targets": return try create(request)
            case (.patch, ["token", "dispatch", "targets"]): return try change(last, request)
            case (.get, ["devices", "credentials"]): return try credentials(last, request)
            case (.patch, ["devices", "credentials"]): return try remove(last, request)
            case (.get, ["devices", "oob-operations"]): return try operations(last, request)
            default: return BackendResponse(status: 404)
            }
        } catch {
            return error.response
        }
    }

    private mutating func create(_ request: BackendRequest) throws(Refused) -> BackendResponse {
        if let requiredAuthorization, request.headers.first("Authorization") != requiredAuthorization {
            throw Refused(401, .unauthorized)
        }
        guard let creation = try? DispatchTargetCreation(body: request.body), let username = creation.username,
            let deviceID = creation.target.deviceID, let encryptionKey = creation.target.encryptionKey
        else { throw Refused(400, .malformedRequest) }
        let id = "target-\(nextID)"
        nextID += 1
        records.append(
            Record(
                id: id, username: username.text, deviceID: deviceID.text, name: creation.target.name.text,
                destination: creation.target.destination, signatureKey: creation.target.signatureKey,
                encryptionKey: encryptionKey, credentials: []))
        return BackendResponse(status: 201, body: CreatedDispatchTarget(id: id, externalID: "x-" + id).body)
    }

    private mutating func change(_ id: String, _ request: BackendRequest) throws(Refused) -> BackendResponse {
        guard let index = records.firstIndex(where: { $0.id == id }) else {
            throw Refused(404, .dispatchTargetNotFound)
        }
        let change: DispatchTargetChange = try verified(
            String(decoding: request.body, as: UTF8.self), by: records[index].signatureKey)
        try check(change.claims, .patch, request.url)
        if let name = change.name?.text {
            guard !takenNames.contains(name) else { throw Refused(422, .dispatchTargetNameInUse) }
            records[index].name = name
        }
        if let destination = change.destination { records[index].destination = destination }
        return BackendResponse(status: 204)
    }

    private mutating func credentials(_ deviceID: String, _ request: BackendRequest) throws(Refused) -> BackendResponse
    {
        let (record, claims) = try signed(request, deviceID, .get)
        let own = records.filter { $0.deviceID == deviceID }
        let accounts = own.compactMap { record -> DeviceCredentials.Account? in
            guard let username = UserName(record.username), let name = DeviceName(record.name) else { return nil }
            return DeviceCredentials.Account(
                username: username,
                target: DeviceCredentials.Target(
                    id: record.id, name: name, dispatcher: nil, destination: record.destination),
                credentials: record.credentials.map { DeviceCredentials.Credential($0, state: .active) })
        }
        guard let id = DeviceID(deviceID) else { throw Refused(404, .notFound) }
        let body = DeviceCredentials(requestID: claims.requestID, deviceID: id, accounts: accounts)
        return try sealed(body.body, to: record)
    }

    private mutating func operations(_ deviceID: String, _ request: BackendRequest) throws(Refused) -> BackendResponse {
        let (record, claims) = try signed(request, deviceID, .get)
        return try sealed(PendingOperations(requestID: claims.requestID, entries: pending).body, to: record)
    }

    private mutating func remove(_ deviceID: String, _ request: BackendRequest) throws(Refused) -> BackendResponse {
        let text = String(decoding: request.body, as: UTF8.self)
        guard let id = (try? CompactJWS(parsing: text))?.header.keyID,
            let record = records.first(where: { $0.id == id && $0.deviceID == deviceID })
        else { throw Refused(401, .signatureInvalid) }
        let change: DeviceChange = try verified(text, by: record.signatureKey)
        try check(change.claims, .patch, request.url)
        for removal in change.removals {
            guard let index = records.firstIndex(where: { $0.username == removal.username.text }) else {
                throw Refused(404, ErrorCode(rawValue: "credentialNotFound"))
            }
            records[index].credentials.removeAll { credential in
                (removal.aaid == nil || credential.aaid == removal.aaid)
                    && (removal.keyID == nil || credential.keyID == removal.keyID)
            }
            if records[index].credentials.isEmpty { records.remove(at: index) }
        }
        records.removeAll { change.targetIDs.contains($0.id) }
        return BackendResponse(status: 204)
    }

    // MARK: - Signatures

    private mutating func signed(
        _ request: BackendRequest, _ deviceID: String, _ method: Endpoint.Method
    ) throws(Refused) -> (Record, DeviceClaims) {
        guard let text = request.headers.first(Endpoint.deviceSignatureField),
            let id = (try? CompactJWS(parsing: text))?.header.keyID,
            let record = records.first(where: { $0.id == id && $0.deviceID == deviceID })
        else { throw Refused(401, .signatureInvalid) }
        let payload: DeviceRequest = try verified(text, by: record.signatureKey)
        try check(payload.claims, method, request.url)
        return (record, payload.claims)
    }

    private func verified<Body: MessageBody>(_ text: String, by key: JWK) throws(Refused) -> Body {
        guard let token = try? CompactJWS(parsing: text), let verified = try? token.verified(by: key),
            let body = try? Body(body: verified.payload)
        else { throw Refused(401, .signatureInvalid) }
        return body
    }

    private mutating func check(
        _ claims: DeviceClaims, _ method: Endpoint.Method, _ url: String
    ) throws(Refused) {
        guard claims.method == method, claims.audience == url else { throw Refused(401, .signatureInvalid) }
        guard !requestIDs.contains(claims.requestID) else { throw Refused(401, .replayDetected) }
        if let now, !(now - 300_000...now + 120_000).contains(claims.creationTime) {
            throw Refused(401, .clockSkewTooBig, date: "Sun, 06 Nov 1994 08:49:37 GMT")
        }
        requestIDs.append(claims.requestID)
    }

    private func sealed(_ plaintext: [UInt8], to record: Record) throws(Refused) -> BackendResponse {
        guard let text = try? CompactJWE.seal(plaintext, to: record.encryptionKey) else {
            throw Refused(500, .internalError)
        }
        return BackendResponse(status: 200, body: Array(text.utf8))
    }
}
