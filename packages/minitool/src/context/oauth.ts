/** Connections to other services on behalf of people. The server has no place for them yet: `connect` and `request` are refused. */
export interface OAuthProviderConfig {
  id: string;
  name: string;
  icon?: string;
  clientId: string;
  flow?: 'authorization_code' | 'device_code';
  callbackStrategy?: 'loopback' | 'custom';
  callbackUrl?: string;
  authorizationEndpoint: string;
  deviceAuthorizationEndpoint?: string;
  tokenEndpoint: string;
  scopes: string[];
  resourceOrigins: string[];
  revocationEndpoint?: string;
  authorizationParams?: Record<string, string>;
}

export interface OAuthStatus {
  providerId: string;
  connected: boolean;
  scopes: string[];
  displayName?: string;
  email?: string;
  expiresAt?: number;
}

export interface OAuthRequestInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface OAuthResponse {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  body: string;
}

export interface OAuthInteractiveAuthorization {
  providerId: string;
  providerName: string;
  providerIcon?: string;
  authorizationUrl: string;
  state: string;
  callbackUrl: string;
}

export interface OAuthAuthorizationCode {
  code: string;
}

export interface OAuth {
  connect(provider: OAuthProviderConfig): Promise<OAuthStatus>;
  initiateAuthorization(input: OAuthInteractiveAuthorization): Promise<OAuthAuthorizationCode>;
  /** @deprecated Use `initiateAuthorization`. */
  authorize(input: OAuthInteractiveAuthorization): Promise<OAuthAuthorizationCode>;
  getStatus(provider: OAuthProviderConfig): Promise<OAuthStatus>;
  disconnect(provider: OAuthProviderConfig): Promise<void>;
  request(provider: OAuthProviderConfig, url: string, init?: OAuthRequestInit): Promise<OAuthResponse>;
}
