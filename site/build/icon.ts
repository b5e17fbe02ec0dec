/** The site's icon: a dam with its spillway. */
export function icon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b7285"/><path d="M6 9h9v15H6z" fill="#fff"/><path d="M15 12c8 0 4 10 11 10v2H15z" fill="#9be3f0"/></svg>\n`;
}
