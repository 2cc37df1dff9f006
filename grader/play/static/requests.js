// @ts-check

/* Ask the server. */

/** @typedef {Record<string, any>} Answer `state` is "failed" if the server refuses or does not respond */

/** @returns {Promise<Answer>} */
export async function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** @returns {Promise<Answer>} */
export async function get(path) {
  return request(path, {});
}

/**
 * Return the server's answer; {state: "failed", message, help} if it refuses or does not respond.
 *
 * @returns {Promise<Answer>}
 */
async function request(path, options) {
  try {
    const response = await fetch(path, options);
    const answer = response.status === 204 ? {} : await response.json();
    return response.ok ? answer : { message: `refused: ${response.status}`, ...answer, state: "failed" };
  } catch {
    return {
      state: "failed",
      lost: true,
      message: "the server does not answer",
      help: "is grade play still running in your terminal? start it again, and open the address it prints",
    };
  }
}
