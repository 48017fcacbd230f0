/// The accounts of a list, written and compared one by one; `any Account` is itself neither `Encodable` nor `Equatable`.
enum AccountList {
    static func encode(_ accounts: [any Account], into container: inout some UnkeyedEncodingContainer) throws {
        for account in accounts { try container.encode(account) }
    }

    static func key(of account: any Account) -> [String] {
        [account.username, account.server.baseUrl.absoluteString]
    }

    static func keys(of accounts: [any Account]) -> [[String]] {
        accounts.map(key)
    }
}
