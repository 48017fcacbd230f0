import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF

extension Exchange {
    /// The answer of a request service; its status code goes into the journal.
    func answer(request message: ReturnUAFRequest, headers: HTTPFields = [:]) -> Response {
        context.journal.statusCode = Int(message.statusCode.rawValue)
        return answer(message, headers: headers)
    }

    /// The answer of a response service; its status code goes into the journal.
    func answer(_ accepted: AcceptedAnswer, headers: HTTPFields) -> Response {
        context.journal.statusCode = Int(accepted.message.statusCode.rawValue)
        return answer(accepted.message, headers: headers)
    }
}
