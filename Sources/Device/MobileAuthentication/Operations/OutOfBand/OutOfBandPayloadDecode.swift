import BackendAPI
import Locking
import Octets

/// Reads a payload; exactly one input has to be given.
///
/// Nothing is decrypted and no server is asked. Members that are not the payload's own, which push services add, are
/// ignored.
public protocol OutOfBandPayloadDecode: Operation {
    /// The payload as it comes in a push message.
    @discardableResult
    func json(_ json: String) -> Self

    /// The payload of a QR code, or of the parameter `dispatchTokenResponse` of a link.
    @discardableResult
    func base64UrlEncoded(_ base64UrlEncoded: String) -> Self

    /// Called once with the payload.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor (OutOfBandPayload) -> Void) -> Self

    /// Called once when the input is no payload.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OutOfBandPayloadError) -> Void) -> Self

    /// Reads the payload at once.
    func perform() throws(OutOfBandPayloadError) -> OutOfBandPayload
}

/// A decoding that is being put together, and then run once.
final class OutOfBandPayloadDecodeOperation: OutOfBandPayloadDecode {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var json: Sensitive<String>?
        var base64UrlEncoded: Sensitive<String>?
        var onSuccess: (@MainActor (OutOfBandPayload) -> Void)?
        var onError: (@MainActor (OutOfBandPayloadError) -> Void)?
        var wasRun = false
        var isCanceled = false
    }

    private let draft = Lock(Draft())

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func json(_ json: String) -> Self { with { $0.json = Sensitive(json) } }

    func base64UrlEncoded(_ base64UrlEncoded: String) -> Self {
        with { $0.base64UrlEncoded = Sensitive(base64UrlEncoded) }
    }

    func onSuccess(_ handler: @escaping @MainActor (OutOfBandPayload) -> Void) -> Self {
        with { $0.onSuccess = handler }
    }

    func onError(_ handler: @escaping @MainActor (OutOfBandPayloadError) -> Void) -> Self {
        with { $0.onError = handler }
    }

    func execute() {
        let draft = draft.withLock { $0 }
        Task {
            do throws(OutOfBandPayloadError) {
                let payload = try self.perform()
                await draft.onSuccess?(payload)
            } catch {
                await draft.onError?(error)
            }
        }
    }

    func perform() throws(OutOfBandPayloadError) -> OutOfBandPayload {
        let draft = draft.withLock { draft in
            defer { draft.wasRun = true }
            return draft
        }
        guard !draft.wasRun else { throw .Unknown(cause: OperationReuseError()) }
        guard !draft.isCanceled else { throw .Unknown(cause: CancellationError()) }
        do throws(BackendAPIError) {
            switch (draft.json, draft.base64UrlEncoded) {
            case (let json?, nil): return OutOfBandPayload(try OutOfBandEnvelope(body: Array(json.reveal().utf8)))
            case (nil, let text?): return OutOfBandPayload(try OutOfBandEnvelope(base64URL: text.reveal()))
            case (nil, nil): throw .malformedBody(offset: nil)
            case (_?, _?): throw .malformedBody(offset: nil)
            }
        } catch {
            throw .MalformedPayload(cause: error)
        }
    }

    func cancel() { draft.withLock { $0.isCanceled = true } }
}
