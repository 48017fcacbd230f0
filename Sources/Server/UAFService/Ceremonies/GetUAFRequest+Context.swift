import BackendAPI
import ServerCore
import UAF

extension GetUAFRequest {
    /// The context of the request; throws status 1400 for one that cannot be read.
    func readContext<Context: RequestContext>(as type: Context.Type) throws(ServerError) -> Context {
        do throws(BackendAPIError) {
            return try context(as: type)
        } catch {
            throw .refused(.badRequest)
        }
    }
}

extension OutOfBandCeremony {
    /// The context of the request that the operation stands for; throws status 1400 for one that cannot be read.
    func readContext<Context: RequestContext>(as type: Context.Type) throws(ServerError) -> Context {
        do throws(BackendAPIError) {
            return try Context(text: requestContext)
        } catch {
            throw .refused(.badRequest)
        }
    }
}

extension UAFSettings {
    /// Throws status 1400 for a content that is no text, empty or too long, or breaks the rule of ``ShownText``, so that
    /// something else could be shown than what is signed.
    func requireAcceptable(_ transaction: Transaction) throws(ServerError) {
        guard transaction.contentType == .plainText, !transaction.content.isEmpty,
            transaction.content.count <= transactionMaximumByteCount,
            let text = String(validating: transaction.content, as: UTF8.self),
            ShownText.isLayout(text)
        else { throw .refused(.badRequest) }
    }
}
